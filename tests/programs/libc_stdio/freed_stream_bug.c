/* A stream that is used after it was closed: the error is where the program does it.
   expect: unsafe
   native: none (the system library is built without the sanitizer) */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char text[] = "abc";
  FILE *stream = fmemopen(text, 3, "r");
  if (x == 3) fclose(stream);
  int c = getc(stream); /* BUG: use-after-free */
  return c == 'b';
}
