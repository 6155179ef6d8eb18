/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>

static int calls;
static void count(void) { calls++; }
static void check(void) { assert(calls == 3); }

int main(void) {
  atexit(check);
  for (int i = 0; i < 3; i++) atexit(count);
  return 0;
}
