/* A variable of the environment is copied into a small array.
   expect: unsafe
   options: --libc musl --sym-env HOME_TOWN 9
   assumed: nothing
   native: none (asks for an environment) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char town[8];
  const char *given = getenv("HOME_TOWN");
  if (!given) return 0;
  strcpy(town, given); /* BUG: out-of-bounds */
  return town[0] == 'x';
}
