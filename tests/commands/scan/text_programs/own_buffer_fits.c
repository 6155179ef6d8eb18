/* A text that fits is copied.
   scan: nothing */
#include <string.h>

int first_of_short(const char *s) {
  char b[8];
  if (strlen(s) >= sizeof b)
    return -1;
  strcpy(b, s);
  return b[0];
}
