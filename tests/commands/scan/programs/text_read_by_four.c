/* Four characters behind an ampersand are taken for granted, where a text may end.
   scan: certain out-of-bounds 8 */
#include <string.h>

unsigned code(const char *text) {
  unsigned value = 0;
  while (*text != 0 && *text != '&') text++;
  if (*text == '&') memcpy(&value, text + 1, sizeof value);
  return value;
}
