/* expect: unsafe
   native: asan
   input: x=42 */
#include <assert.h>
#include <setjmp.h>
#include "unfork.h"

static jmp_buf out;

static void validate(int x) {
  if (x == 42) longjmp(out, x);
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int code = setjmp(out);
  if (code == 0) validate(x);
  assert(code == 0); /* BUG: assert */
  return 0;
}
