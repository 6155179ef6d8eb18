/* The jump skips the free.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=1 */
#include <setjmp.h>
#include <stdlib.h>
#include "unfork.h"

static jmp_buf out;
static void work(int x) {
  char *p = malloc(10); /* BUG: leak */
  p[0] = (char)x;
  if (x == 1) {
    p = 0;
    longjmp(out, 1);
  }
  free(p);
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (setjmp(out) == 0) work(x);
  return 0;
}
