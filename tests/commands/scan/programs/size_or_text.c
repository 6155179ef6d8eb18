/* Without a size, the data is a text: that is what the code asks for.
   scan: conditional out-of-bounds 8 */
#include <string.h>

int last_of(const unsigned char *data, int size) {
  if (!data) return -1;
  if (size <= 0) {
    size = (int)strlen((const char *)data);
  }
  return size > 0 ? data[size - 1] : -1;
}
