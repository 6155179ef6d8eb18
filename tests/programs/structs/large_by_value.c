/* byval: the callee's changes stay its own.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

struct table { int cells[16]; };

static int clear_and_sum(struct table t, int from) {
  for (int i = from; i < 16; i++) t.cells[i] = 0;
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += t.cells[i];
  return sum;
}

int main(void) {
  struct table t;
  for (int i = 0; i < 16; i++) t.cells[i] = i;
  assert(clear_and_sum(t, 4) == 6);
  assert(clear_and_sum(t, 16) == 120);
  assert(t.cells[15] == 15);
  return 0;
}
