/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int state = 3;

__attribute__((constructor)) static void prepare(void) { state = state * 10 + 1; }

int main(void) {
  assert(state == 31);
  return 0;
}
