/* Bubble sort of K symbolic integers, asserted to be in order afterwards. One path for every order: K! of them.

     unfork run examples/bubble_sort.c                      its paths joined to one, exit status 0
     unfork run --merge none examples/bubble_sort.c         24 paths
     unfork run --merge none -D K=6 examples/bubble_sort.c  720 paths

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
  for (int end = K - 1; end > 0; --end)
    for (int i = 0; i < end; ++i)
      if (values[i] > values[i + 1]) {
        int larger = values[i];
        values[i] = values[i + 1];
        values[i + 1] = larger;
      }
  for (int i = 0; i + 1 < K; ++i)
    assert(values[i] <= values[i + 1]);
  return 0;
}
