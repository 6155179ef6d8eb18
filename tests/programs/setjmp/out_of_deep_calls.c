/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <setjmp.h>

static jmp_buf out;
static int deepest;

static void dive(int n) {
  deepest = n;
  if (n == 5) longjmp(out, 55);
  dive(n + 1);
  deepest = -1;
}

int main(void) {
  int code = setjmp(out);
  if (code == 0) dive(0);
  assert(code == 55 && deepest == 5);
  return 0;
}
