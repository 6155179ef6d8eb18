/* Selection sort of K symbolic integers, asserted to be in order afterwards. The place of the smallest one is found by
   comparing, so there are more paths than orders: 33 for K = 4, 194 for 5, 1,359 for 6.

   expect: safe
   paths: 33
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
  for (int place = 0; place + 1 < K; ++place) {
    int smallest = place;
    for (int i = place + 1; i < K; ++i)
      if (values[i] < values[smallest])
        smallest = i;
    int smaller = values[smallest];
    values[smallest] = values[place];
    values[place] = smaller;
  }
  for (int i = 0; i + 1 < K; ++i)
    assert(values[i] <= values[i + 1]);
  return 0;
}
