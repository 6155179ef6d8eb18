/* unfork_length is the number of elements from the pointer to the end of its object.
   expect: safe
   paths: 1
   native: none (the native library does not know the length) */
#include <assert.h>
#include "unfork.h"

static long length_of(int *p) { return (long)unfork_length(p); }

int main(void) {
  int cells[6] = {0};
  assert(length_of(cells) >= 6);
  assert(cells[0] == 0);
  return 0;
}
