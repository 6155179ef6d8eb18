/* A number has a sign and one to ten digits: its length is a choice, and all of them are one path.
   expect: safe
   paths: 1
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
