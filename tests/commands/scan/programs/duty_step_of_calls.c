/* Every call takes words of four bytes.
   scan: conditional out-of-bounds 9 */
#include <stddef.h>
#include <stdint.h>

uint32_t sum_of(const uint8_t *data, size_t size) {
  uint32_t sum = 0;
  size_t words = (size + 3) / 4;
  for (size_t i = 0; i < words; i++) sum += (uint32_t)data[4 * i] + ((uint32_t)data[4 * i + 3] << 8);
  return sum;
}

uint32_t sums(const uint8_t data[64]) { return sum_of(data, 4) ^ sum_of(data, 12) ^ sum_of(data, 64); }
