/* expect: safe
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  uintptr_t i = klee_choose(3);
  static const int values[3] = {4, 5, 6};
  assert(values[i] >= 4);
  return 0;
}
