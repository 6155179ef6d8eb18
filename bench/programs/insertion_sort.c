/* Insertion sort of K symbolic integers, asserted to be in order afterwards: K! paths.

   expect: safe
   paths: 24
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef K
#define K 4
#endif

int main(void) {
  int values[K];

  unfork_symbolic(values, sizeof values, "values");
  for (int next = 1; next < K; ++next) {
    int moved = values[next];
    int hole = next;
    while (hole > 0 && values[hole - 1] > moved) {
      values[hole] = values[hole - 1];
      --hole;
    }
    values[hole] = moved;
  }
  for (int i = 0; i + 1 < K; ++i)
    assert(values[i] <= values[i + 1]);
  return 0;
}
