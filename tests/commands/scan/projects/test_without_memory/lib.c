/* A library that handles a lack of memory, and says so. */
#include <stdlib.h>

#include "lib.h"

int *numbers(unsigned count) {
  return count > 4 ? NULL : calloc(count, sizeof(int));
}
