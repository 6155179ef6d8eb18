/* Two buffers, and behind them their sizes: there is no room for the terminator.
   scan: certain out-of-bounds 7 */
#include <stddef.h>

int end(const unsigned char *from, unsigned char *to, size_t from_size, size_t to_size) {
  if (from_size == 0 || from_size > to_size || from[from_size - 1] == 0) return -1;
  to[from_size] = 0;
  return 0;
}
