/* Only an example calls the function, with an object.

   finds: null-dereference at 9: conditional by first
*/
#include "lib.h"

int first(const struct pair *pair) {
  int value;
  value = pair->left;
  if (pair == NULL) return -1;
  return value;
}
