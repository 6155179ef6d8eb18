/* The compiler counted 4 bytes, whatever the object has.
   expect: unsafe
   native: none (glibc ends the program by a signal of its own) */
#include <stdio.h>
#include "unfork.h"

extern int __sprintf_chk(char *, int, unsigned long, const char *, ...);

int main(void) {
  unsigned x;
  char text[16];
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 10000);
  __sprintf_chk(text, 1, 4, "%u", x); /* BUG: out-of-bounds */
  return 0;
}
