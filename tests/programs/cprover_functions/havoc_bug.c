/* expect: unsafe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stdlib.h>
size_t nondet_size_t(void);
struct pair {
  int first, second;
};

int main(void) {
  struct pair pair = {1, 2};
  int a[4] = {5, 6, 7, 8};
  size_t n = nondet_size_t();
  __CPROVER_assume(n > 0 && n < 6);
  char *block = calloc(n, 1);
  __CPROVER_havoc_slice(a + 1, 2 * sizeof *a);
  assert(a[0] == 5 && a[3] == 8 && pair.second == 2 && block[n - 1] == 0);
  assert(a[1] == 6); /* BUG: assert */
  __CPROVER_havoc_object(&pair.second);
  assert(pair.first == 1); /* BUG: assert */
  __CPROVER_havoc_object(block);
  assert(block[n - 1] == 0); /* BUG: assert */
  return 0;
}
