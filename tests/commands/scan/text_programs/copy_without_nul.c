/* A block without room for the NUL.
   scan: certain out-of-bounds 8 */
#include <stdlib.h>
#include <string.h>

char *copy(const char *s) {
  char *p = malloc(strlen(s));
  strcpy(p, s);
  return p;
}
