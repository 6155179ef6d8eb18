/* All calls pass an object, but the header allows null.

   finds: null-dereference at 9: certain by first
*/
#include "lib.h"

int first(const struct pair *pair) {
  int value;
  value = pair->left;
  if (pair == NULL) return -1;
  return value;
}

int sum(int left, int right) {
  struct pair pair = {left, right};
  return first(&pair) + pair.right;
}

int first_or(const struct pair *pair, int otherwise) { return pair ? first(pair) : otherwise; }
