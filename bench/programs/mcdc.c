/* A chain of decisions in the style of MC/DC test objectives: each of N conditions, all independent, adds to a count,
   and the end asks for what no choice of them reaches. 2^N paths.

   expect: safe
   paths: 64
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 6
#endif

int main(void) {
  int levels[N];
  int raised = 0, alarms = 0;

  unfork_symbolic(levels, sizeof levels, "levels");
  for (int i = 0; i < N; ++i) {
    if (levels[i] > 10 * i)
      raised += 1;
    else
      alarms += 2;
  }
  assert(raised + alarms <= 2 * N);
  return 0;
}
