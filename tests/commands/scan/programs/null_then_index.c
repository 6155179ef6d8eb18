/* A null pointer that the code tests is no demand on the heap: the number beside it is tested wrongly.
   scan: certain out-of-bounds 12 */
#include <stddef.h>

struct node { int value; };

int kind_of(const struct node *last, int kind, int *out) {
  static const int table[4] = {1, 2, 3, 4};
  if (last != NULL) return last->value;
  if (kind < 0 || kind > 4) return 0;
  *out = 1;
  return table[kind];
}
