/* A product that does not fit gives null.
   expect: safe
   paths: 1
   native: none (the sanitizer's allocator stops the process) */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  volatile size_t huge = (size_t)-1;
  char *p = calloc(huge, 16);
  assert(p == 0);
  return 0;
}
