/* expect: safe
   native: clang */
#include <assert.h>
#include <limits.h>
#include "unfork.h"

int main(void) {
  int a;
  unfork_symbolic(&a, sizeof a, "a");
  int up = __builtin_elementwise_add_sat(a, 10);
  assert(up >= a);
  int down = __builtin_elementwise_sub_sat(a, 10);
  assert(down <= a);
  unsigned char c = __builtin_elementwise_add_sat((unsigned char)250, (unsigned char)10);
  assert(c == 255);
  assert(__builtin_elementwise_sub_sat(3u, 5u) == 0);
  assert(__builtin_elementwise_sub_sat(INT_MIN, 1) == INT_MIN);
  return 0;
}
