/* The first byte says what follows: this is no text, and nothing looks for its end.
   scan: conditional out-of-bounds 7 */
#include <string.h>

unsigned number(const char *bytes) {
  unsigned value = 0;
  if ((bytes[0] & 15) == 3) memcpy(&value, bytes + 1, sizeof value);
  return value;
}
