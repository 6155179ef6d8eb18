/* The last character is read, and nobody has asked whether there is one.
   scan: conditional out-of-bounds 7 */
#include <string.h>

char last(const char *text) {
  size_t length = strlen(text);
  return text[length - 1];
}
