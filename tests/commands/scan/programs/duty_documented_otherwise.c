/* Sizes fail that the comment allows: it is not known up to which.
   scan: certain out-of-bounds 10 */
#include <stddef.h>
#include <stdint.h>

/* The sum of some words. The size must be at least 24. */
uint32_t sum_of(const uint8_t *data, size_t size) {
  uint32_t sum = 0;
  size_t words = (size + 3) / 4;
  for (size_t i = 0; i < words; i++) sum += (uint32_t)data[4 * i] + ((uint32_t)data[4 * i + 3] << 8);
  return sum;
}
