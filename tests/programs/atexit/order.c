/* The last registered runs first.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

static int order;
static void first(void) {
  order = order * 10 + 1;
  assert(order == 321);
}
static void second(void) { order = order * 10 + 2; }
static void third(void) { order = order * 10 + 3; }

int main(void) {
  assert(atexit(first) == 0);
  atexit(second);
  atexit(third);
  return 0;
}
