/* Thirty-two bytes fill the text, and the NUL has no room: the loop has more turns than a scan takes in one step.
   scan: certain out-of-bounds 17 */
#include <stddef.h>

static char text[64];

const char *hexadecimal(const void *data, size_t length) {
  static const char digits[] = "0123456789abcdef";
  const unsigned char *bytes = data;
  size_t at;
  if (length > sizeof text / 2)
    length = sizeof text / 2;
  for (at = 0; at < length; at++) {
    text[2 * at] = digits[bytes[at] >> 4];
    text[2 * at + 1] = digits[bytes[at] & 15];
  }
  text[2 * length] = '\0';
  return text;
}
