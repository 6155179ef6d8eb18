/* strncpy writes no zero where the text is as long as the buffer.
   scan: certain out-of-bounds 8 */
#include <string.h>

unsigned long short_length(const char *s) {
  char copy[8];
  strncpy(copy, s, sizeof copy);
  return strlen(copy);
}
