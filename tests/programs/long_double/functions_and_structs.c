/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct reading { long double value; int unit; };

static struct reading scaled(struct reading r, long double by) {
  r.value *= by;
  r.unit++;
  return r;
}

int main(void) {
  struct reading r = {1.25L, 6};
  r = scaled(scaled(r, 2.0L), 0.5L);
  assert(r.value == 1.25L && r.unit == 8 && sizeof r == 32);
  return 0;
}
