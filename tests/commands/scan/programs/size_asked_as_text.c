/* The code does not ask whether there is a size. Whether the data is a text, callers know.
   scan: conditional out-of-bounds 7 */
#include <string.h>

int has_more(const unsigned char *data, unsigned long size) {
  if (!data || size > 8) return 0;
  return strlen((const char *)data) > size;
}
