/* longjmp with 0 makes setjmp return 1.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <setjmp.h>

int main(void) {
  jmp_buf target;
  volatile int seen = 0;
  if (setjmp(target)) {
    seen = 1;
  } else {
    longjmp(target, 0);
  }
  assert(seen == 1);
  return 0;
}
