/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <setjmp.h>
#include <string.h>

static jmp_buf *current;

static int guarded(int inner) {
  jmp_buf mine, *outer = current;
  int volatile result = 0;
  current = &mine;
  int code = setjmp(mine);
  if (code == 0) {
    result = inner ? guarded(inner - 1) : 0;
    longjmp(*current, 10 + inner);
  }
  current = outer;
  return result * 100 + code;
}

int main(void) {
  jmp_buf top;
  current = &top;
  assert(guarded(0) == 10);
  assert(guarded(1) == 10 * 100 + 11);
  return 0;
}
