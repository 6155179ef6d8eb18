/* _Exit and abort skip the handlers.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

static void never(void) { assert(0); }

int main(void) {
  atexit(never);
  _Exit(0);
}
