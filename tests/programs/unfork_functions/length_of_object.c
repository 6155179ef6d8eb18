/* Only a lazily initialised array has a length to ask for; anything else is loudly unsupported.
   expect: unknown unsupported
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
