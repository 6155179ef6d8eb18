/* A number has a sign and one to ten digits: in a real C library, each length is a path of its own.
   expect: safe
   paths: 21
   native: asan */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  int x;
  char text[4] = "abc";
  unfork_symbolic(&x, sizeof x, "x");
  printf("%d %s %c %5.2f %lu %p %%\n", x, text, 'c', 1.5, 7ul, (void *)text);
  puts(text);
  putchar('\n');
  return 0;
}
