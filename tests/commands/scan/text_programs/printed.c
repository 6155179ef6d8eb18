/* Formatted text is cut.
   scan: nothing */
#include <stdio.h>

int first_of_name(const char *key) {
  char buf[16];
  snprintf(buf, sizeof buf, "%s.txt", key);
  return buf[0];
}
