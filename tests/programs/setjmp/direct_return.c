/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <setjmp.h>

int main(void) {
  jmp_buf target;
  volatile int rounds = 0;
  int code = setjmp(target);
  rounds++;
  if (code < 3) longjmp(target, code + 1);
  assert(code == 3 && rounds == 4);
  return 0;
}
