/* %n is a write through a pointer.
   expect: unsafe
   native: none (the sanitizer's printf does not look at %n) */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  int count = 0, x;
  unfork_symbolic(&x, sizeof x, "x");
  printf("word%n\n", x == 3 ? (int *)0 : &count); /* BUG: null-dereference */
  return 0;
}
