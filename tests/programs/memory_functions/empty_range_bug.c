/* A bad pointer is an error where there are bytes to move, look at or set, and the test has some.
   expect: unsafe
   native: asan
   input: kind=0 length=1
   input: kind=1 length=2
   input: kind=2 length=3
   input: kind=3 length=1
   input: kind=4 length=1
   input: kind=5 length=1 */
#include <string.h>
#include "unfork.h"

int main(void) {
  int kind;
  unsigned char length;
  char from[4] = {1, 2, 3, 4}, to[4] = {0}, *before = from - 1;
  unfork_symbolic(&kind, sizeof kind, "kind");
  unfork_symbolic(&length, 1, "length");
  size_t count = length & 3;
  switch (kind) {
  case 0: memmove(to, before, count); break; /* BUG: out-of-bounds */
  case 1: memcpy(before, to, count); break; /* BUG: out-of-bounds */
  case 2: memset(before, 0, count); break; /* BUG: out-of-bounds */
  case 3: return memcmp(before, to, count) != 0; /* BUG: out-of-bounds */
  case 4: return memchr(before, 7, count) != 0; /* BUG: out-of-bounds */
  case 5: return strncmp(before, to, count) != 0; /* BUG: out-of-bounds */
  }
  return 0;
}
