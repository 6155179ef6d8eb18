/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <setjmp.h>
#include "unfork.h"

static jmp_buf back;
static int log_[4], used;

static void record(int v) {
  log_[used++] = v;
  if (v < 0) longjmp(back, 1);
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (setjmp(back) == 0) {
    record(1);
    record(x);
    record(2);
  }
  assert(used == (x < 0 ? 2 : 3));
  assert(log_[1] == x);
  return 0;
}
