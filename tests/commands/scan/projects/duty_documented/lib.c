/* The header says which sizes the first two functions take, and nothing of the last one.

   finds: out-of-bounds at 19: conditional by sum_of
   finds: out-of-bounds at 23: conditional by other_sum_of
   finds: out-of-bounds at 27: certain by last_sum_of
   finds: out-of-bounds at 31: certain by pinned_sum_of
   finds: null-dereference at 31: conditional by pinned_sum_of
   finds: null-dereference at 19: conditional by sum_of
   finds: null-dereference at 23: conditional by other_sum_of
   finds: null-dereference at 27: conditional by last_sum_of
   finds: out-of-bounds at 36: conditional by entry_of
   finds: null-dereference at 35: conditional by entry_of
   finds: null-dereference at 36: conditional by entry_of
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
uint8_t entry_of(const uint8_t *data, size_t size, const struct table *table) {
  if (size == 0) return 0;
  size_t at = size > 8 ? table->last : 3;
  return data[at];
}
