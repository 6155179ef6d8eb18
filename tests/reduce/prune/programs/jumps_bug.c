/* A jump out of a loop brings back what was live where it was set.
   expect: unsafe
   input: x=200 */
#include <setjmp.h>
#include "unfork.h"

static jmp_buf out;

int main(void) {
  volatile int mode = 0;
  int code = setjmp(out);
  if (code)
    return 6 / (code - 2 + mode); /* BUG: div-by-zero */
  for (int i = 0; i < 4; i++) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x < 30)
      mode = 1;
    else if (x < 60)
      mode = 0;
    if (x == 200)
      longjmp(out, 2);
  }
  return 0;
}
