/* The handler reads a local of main that is gone.
   expect: unsafe
   native: none (the native check of stack use after return needs instrumented exit) */
#include <stdlib.h>

static int *kept;
static int sink;
static void late(void) {
  sink = *kept; /* BUG: use-after-free */
}

static void prepare(void) {
  int local = 4;
  kept = &local;
  atexit(late);
}

int main(void) {
  prepare();
  return 0;
}
