/* There is no room for the NUL after the appended characters.
   scan: certain out-of-bounds 11 */
#include <stdlib.h>
#include <string.h>

char *append(const char *a, const char *b) {
  char *p = malloc(strlen(a) + 3);
  if (!p)
    return 0;
  strcpy(p, a);
  return strncat(p, b, 3);
}
