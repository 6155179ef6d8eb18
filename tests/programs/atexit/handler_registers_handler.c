/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

static int order;
static void added(void) {
  order = order * 10 + 2;
  assert(order == 12);
}
static void adding(void) {
  order = order * 10 + 1;
  atexit(added);
}

int main(void) {
  atexit(adding);
  return 0;
}
