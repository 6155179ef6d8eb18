/* A meter sorts 32 samples into four classes and counts each class up to 3.

   expect: safe
*/
#include <assert.h>

#include "unfork.h"

#ifndef N
#define N 32
#endif
enum { CLASSES = 4, MOST = 3 };

static unsigned char count[CLASSES];

static void note(unsigned class) {
  if (count[class] < MOST)
    ++count[class];
}

int main(void) {
  unsigned char samples[N];

  unfork_symbolic(samples, sizeof samples, "samples");
  for (int i = 0; i < N; ++i) {
    if (samples[i] < 64)
      note(0);
    else if (samples[i] < 128)
      note(1);
    else if (samples[i] < 192)
      note(2);
    else
      note(3);
  }
  assert(count[0] + count[1] + count[2] + count[3] <= CLASSES * MOST);
  assert(count[0] + count[1] + count[2] + count[3] >= MOST);
  assert(count[0] + count[1] <= 2 * MOST);
  return 0;
}
