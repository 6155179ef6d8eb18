/* Two buffers, and behind them their sizes: there is no room for the terminator.
   scan: certain out-of-bounds 8 */
#include <stddef.h>

int end(const unsigned char *from, unsigned char *to, size_t from_size, size_t to_size) {
  (void)from;
  if (from_size > to_size || to_size > 8) return -1;
  to[from_size] = 0;
  return 0;
}
