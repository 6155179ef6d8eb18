/* Two numbers beside a void pointer are those of elements and of their bytes, so neither counts its bytes alone.
   scan: nothing */
#include <stddef.h>
#include <string.h>

int is_last(const void *array, size_t count, size_t size, const void *item) {
  if (count == 0 || size == 0 || count > 2 || size > 2)
    return 0;
  return memcmp((const char *)array + (count - 1) * size, item, size) == 0;
}
