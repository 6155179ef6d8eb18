/* A stream that is closed last.
   expect: safe
   native: asan */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char text[] = "abc";
  FILE *stream = fmemopen(text, 3, "r");
  int c = getc(stream);
  if (x == 3) fclose(stream);
  return c == 'b';
}
