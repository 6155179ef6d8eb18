/* One member is forgotten.
   expect: unsafe
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>

struct limits { int low, high; };

static void set(struct limits *l, int low) { l->low = low; }

int main(void) {
  struct limits l;
  set(&l, 3);
  assert(l.low == 3);
  assert(l.high != -7); /* BUG: assert */
  return 0;
}
