/* No data of size zero is what the code itself asks for.
   scan: certain null-dereference 6 */
#include <stddef.h>

unsigned char first(const unsigned char *data, size_t data_size) {
  return data == NULL && data_size == 0 ? *data : 1;
}
