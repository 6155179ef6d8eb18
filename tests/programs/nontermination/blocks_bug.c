/* Blocks that come and go are no other state.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include <stdlib.h>

static int length(const char *text) {
  char *copy = malloc(8);
  int n = 0;
  for (; text[n]; n++)
    copy[n] = text[n];
  free(copy);
  return n;
}

int main(void) {
  while (length("abc") == 3) { /* BUG: nontermination */
  }
  return 0;
}
