/* A pointer that is made of several choices, each within a sum: of them, only some alternatives go together.
   expect: unsafe
   options: --merge static --similar always --libc none
   native: asan
   input: x=1,0,0,0 y=1,0,0,0 z=1,0,0,0
*/
#include "unfork.h"

static char first[8], second[8], text[18];

int main(void) {
  int x, y, z;
  char *start = first, *end = first + 2, *to = text;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_symbolic(&z, sizeof z, "z");
  if (x > 0) {
    start = second;
    end = second + 3;
  }
  if (y > 0)
    to += 4;
  if (z > 0) {
    to += end - start;
    end += 4;
  } else
    end++;
  to += end - start;
  *to = 1;
  unfork_check(text[9] == 0 || z > 0);
  text[end - start + (to - text)] = 2; /* BUG: out-of-bounds */
  return 0;
}
