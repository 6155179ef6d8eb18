/* Handlers run newest first, and may print; what is buffered is written after them.
   expect: safe
   paths: 1
   native: asan */
#include <stdio.h>
#include <stdlib.h>

static void last(void) { printf("last\n"); }
static void first(void) { printf("first\n"); }

int main(void) {
  atexit(last);
  atexit(first);
  printf("main without a newline");
  return 0;
}
