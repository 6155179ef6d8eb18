/* C leaves this undefined, and unfork's own printf says so; real libraries print a word.
   expect: unsafe
   options: --libc none
   native: none (the native library prints a word for null) */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  const char *s = x ? "text" : 0;
  printf("%d: %s\n", x, s); /* BUG: null-dereference */
  return 0;
}
