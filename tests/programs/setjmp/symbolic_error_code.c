/* expect: safe
   native: asan */
#include <assert.h>
#include <setjmp.h>
#include "unfork.h"

static jmp_buf handler;

static int checked_divide(int a, int b) {
  if (b == 0) longjmp(handler, 1);
  if (b == -1) longjmp(handler, 2);
  return a / b;
}

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  switch (setjmp(handler)) {
  case 0: {
    int q = checked_divide(a, b);
    assert(b != 0);
    assert(b == 1 || b < -1 || q != a || a == 0);
    break;
  }
  case 1: assert(b == 0); break;
  case 2: assert(b == -1); break;
  default: assert(0);
  }
  return 0;
}
