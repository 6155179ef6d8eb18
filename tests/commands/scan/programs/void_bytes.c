/* A number beside a void pointer counts its bytes where code takes it for bytes: two of them are too few.
   scan: certain out-of-bounds 11 */
#include <stddef.h>
#include <stdint.h>

unsigned first_three(const void *data, size_t length) {
  const uint8_t *at = data;
  if (length < 2)
    return 0;
  unsigned high = (unsigned)at[0] << 16 | (unsigned)at[1] << 8;
  return high | at[2];
}
