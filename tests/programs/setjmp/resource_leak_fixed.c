/* expect: safe
   options: --check leak
   native: asan */
#include <setjmp.h>
#include <stdlib.h>
#include "unfork.h"

static jmp_buf out;
static char *held;
static void work(int x) {
  held = malloc(10);
  held[0] = (char)x;
  if (x == 1) longjmp(out, 1);
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (setjmp(out) == 0) work(x);
  free(held);
  held = 0;
  return 0;
}
