/* The header says which sizes the first two functions take, and nothing of the last one.

   finds: out-of-bounds at 16: conditional by sum_of
   finds: out-of-bounds at 20: conditional by other_sum_of
   finds: out-of-bounds at 24: certain by last_sum_of
   finds: out-of-bounds at 28: certain by pinned_sum_of
   finds: null-dereference at 28: conditional by pinned_sum_of
   finds: null-dereference at 16: conditional by sum_of
   finds: null-dereference at 20: conditional by other_sum_of
   finds: null-dereference at 24: conditional by last_sum_of
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
uint32_t pinned_sum_of(const uint8_t *data, size_t size) {
  if (size != 1) return 0;
  return (uint32_t)data[0] + data[3]; /* one size shows no step */
}
