/* expect: safe
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x"), y;
  klee_open_merge();
  if (x > 0)
    y = 1;
  else
    y = 2;
  klee_close_merge();
  assert((y == 1) == (x > 0));
  return 0;
}
