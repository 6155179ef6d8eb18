/* Neighbours do not overlap, memmove may, and a struct may be assigned to itself.
   expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

struct large { char bytes[200]; };

static void assign(struct large *to, const struct large *from) { *to = *from; }

int main(void) {
  char text[16] = "abcd";
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 5) return 0;
  static struct large one = {"x"}, two[2];
  assign(&one, &one);
  assign(&two[n & 1], &two[1]);
  memcpy(text + 5, text, n);
  memcpy(text, text + n, 0);
  memmove(text + 1, text, n);
  text[4] = 0;
  strcpy(text + 8, text);
  strncpy(text + 5, text, 3);
  strncat(text + 8, text, 2);
  assert(one.bytes[0] == 'x');
  return 0;
}
