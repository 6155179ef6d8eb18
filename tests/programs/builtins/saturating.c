/* expect: safe
   native: clang */
#include <assert.h>
#include <limits.h>
#include "unfork.h"

typedef unsigned char bytes __attribute__((vector_size(4)));

int main(void) {
  int a;
  unfork_symbolic(&a, sizeof a, "a");
  int up = __builtin_elementwise_add_sat(a, 10);
  assert(up >= a);
  int down = __builtin_elementwise_sub_sat(a, 10);
  assert(down <= a);
  bytes c = __builtin_elementwise_add_sat((bytes){250, 1, 2, 3}, (bytes){10, 10, 10, 252});
  assert(c[0] == 255 && c[1] == 11 && c[3] == 255);
  assert(__builtin_elementwise_sub_sat(3u, 5u) == 0);
  assert(__builtin_elementwise_sub_sat(INT_MIN, 1) == INT_MIN);
  return 0;
}
