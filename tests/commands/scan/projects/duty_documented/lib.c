/* The header says which sizes the first two functions take, and nothing of the last one.

   finds: out-of-bounds at 14: conditional by sum_of
   finds: out-of-bounds at 18: conditional by other_sum_of
   finds: out-of-bounds at 22: certain by last_sum_of
   finds: null-dereference at 14: conditional by sum_of
   finds: null-dereference at 18: conditional by other_sum_of
   finds: null-dereference at 22: conditional by last_sum_of
*/
#include "include/lib.h"

uint32_t sum_of(const uint8_t *data, size_t size) {
  if (size == 0 || size > 8) return 0;
  return (uint32_t)data[0] + ((uint32_t)data[3] << 8) + (size > 4 ? (uint32_t)data[4] + data[7] : 0);
}
uint32_t other_sum_of(const uint8_t *data, size_t size) {
  if (size == 0 || size > 8) return 0;
  return (uint32_t)data[0] + ((uint32_t)data[3] << 8) + (size > 4 ? (uint32_t)data[4] + data[7] : 0);
}
uint32_t last_sum_of(const uint8_t *data, size_t size) {
  if (size == 0 || size > 8) return 0;
  return (uint32_t)data[0] + ((uint32_t)data[3] << 8) + (size > 4 ? (uint32_t)data[4] + data[7] : 0);
}
