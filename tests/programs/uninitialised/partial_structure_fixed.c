/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct limits { int low, high; };

static void set(struct limits *l, int low) { *l = (struct limits){low, low + 1}; }

int main(void) {
  struct limits l;
  set(&l, 3);
  assert(l.low == 3);
  assert(l.high != -7);
  return 0;
}
