/* Fields of symbolic numbers, one behind the other, are one path, and what they come to is known.
   expect: unsafe
   paths: 4
   native: asan
   input: x=-120 y=255 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  int x;
  unsigned char y;
  char text[64];
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  int count = snprintf(text, sizeof text, "%+5d|%-4hhu|%#.3x|%%", x, y, y);
  printf("%d %u%5o\n", x, y, y);
  assert(count >= 16 && count <= 24 && text[count - 1] == '%' && text[count] == 0);
  if (x > -1000 && x < 0)
    assert(memcmp(text, " -120|255 ", 10) != 0); /* BUG: assert */
  return 0;
}
