/* The comment of the function says which sizes it takes.
   scan: conditional out-of-bounds 10 */
#include <stddef.h>
#include <stdint.h>

/* The sum of some words. The size must be a multiple of 4. */
uint32_t sum_of(const uint8_t *data, size_t size) {
  uint32_t sum = 0;
  size_t words = (size + 3) / 4;
  for (size_t i = 0; i < words; i++) sum += (uint32_t)data[4 * i] + ((uint32_t)data[4 * i + 3] << 8);
  return sum;
}
