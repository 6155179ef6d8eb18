/* The NUL of a text of eight characters has no room.
   scan: certain out-of-bounds 9 */
#include <string.h>

int first_of_short(const char *s) {
  char b[8];
  if (strlen(s) > sizeof b)
    return -1;
  strcpy(b, s);
  return b[0];
}
