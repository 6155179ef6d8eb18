/* There is no room for the NUL behind the longest text.
   scan: certain out-of-bounds 11 */
#include <stdlib.h>
#include <string.h>

char *copied(const char *text) {
  size_t n = strlen(text), room = (n + 8) & ~7ul;
  char *copy = strdup(text), *p = copy ? realloc(copy, room) : 0;
  if (!p)
    return 0;
  return strcat(p, "1");
}
