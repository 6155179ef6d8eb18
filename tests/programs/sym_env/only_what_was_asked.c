/* No path comes to the second question; what the program sets itself is there.
   expect: safe
   assumed: FIRST is not set; --sym-env FIRST 16
   native: none (asks for an environment) */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *first = secure_getenv("FIRST");
  if (first) return getenv("SECOND") != 0;
  setenv("THIRD", "x", 1);
  assert(!strcmp(getenv("THIRD"), "x"));
  assert(!getenv("") && !getenv("A=B"));
  return 0;
}
