/* Its test relies on memory, which is no fault of the library. */
#include <assert.h>
#include <stdlib.h>

#include "lib.h"

int main(void) {
  int *found = numbers(2);
  assert(found != NULL);
  int *other = numbers(3);
  other[0] = found[1];
  free(other);
  free(found);
  return 0;
}
