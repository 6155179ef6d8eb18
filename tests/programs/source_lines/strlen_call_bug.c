/* expect: unsafe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  char text[3];
  unfork_symbolic(text, sizeof text, "text");
  text[0] = 'a';
  text[1] = 'b';
  text[2] = 'c';
  unsigned long n;
  n = strlen(text); /* BUG: out-of-bounds */
  return n == 2;
}
