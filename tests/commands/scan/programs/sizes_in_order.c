/* Two buffers, and behind them their sizes.
   scan: nothing */
#include <string.h>

int copy(const unsigned char *from, unsigned char *to, size_t from_size, size_t to_size) {
  if (from_size > to_size)
    return -1;
  memcpy(to, from, from_size);
  return 0;
}
