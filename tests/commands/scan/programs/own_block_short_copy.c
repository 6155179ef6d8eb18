/* The copy has no room for the zero.
   scan: certain out-of-bounds 9 */
#include <stdlib.h>
#include <string.h>

char *copy_of(const char *s) {
  char *copy = malloc(strlen(s));
  if (copy == NULL) return NULL;
  strcpy(copy, s);
  return copy;
}
