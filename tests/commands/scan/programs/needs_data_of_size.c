/* Where a size is not zero, something is there; the pointer is only compared to find its end.
   scan: conditional null-dereference 8 */
#include <stddef.h>

unsigned char last(const unsigned char *data, size_t data_size) {
  const unsigned char *end = data == NULL ? NULL : data + data_size;
  if (data_size < 4) return 0;
  return data == NULL ? data[0] : end[-1];
}
