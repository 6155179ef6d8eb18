/* What follows the first '=' is copied where it fits.
   scan: nothing */
#include <string.h>

int set(const char *line) {
  char value[8];
  const char *found = strchr(line, '=');
  if (!found || strlen(found + 1) >= sizeof value)
    return -1;
  strcpy(value, found + 1);
  return value[0];
}
