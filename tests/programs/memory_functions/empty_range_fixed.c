/* The path knows that the length is zero, though the value depends on an input: nothing is touched.
   expect: safe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned char length, where;
  char from[4] = {1, 2, 3, 4}, to[4] = {0}, *behind = from + 6, *any;
  unfork_symbolic(&length, 1, "length");
  unfork_symbolic(&where, 1, "where");
  size_t count = length & 3;
  any = to + where;
  if (count != 0) return 0;
  memmove(to, behind, count);
  memcpy(behind, to, count);
  memset(behind, 0, count);
  memmove(any, from, count);
  return memcmp(behind, to, count) != 0 || memchr(behind, 7, count) != 0 || strncmp(behind, to, count) != 0;
}
