/* The size is that of the hash, which may be small.
   scan: certain out-of-bounds 9 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void hash_of(const uint8_t *data, uint8_t *hash, size_t size) {
  if (size > 4) return;
  memset(hash, 1, 8);
  for (size_t i = 0; i < size; i++) hash[i] ^= data[0];
}

int hash_of_key(const uint8_t key[4]) {
  uint8_t hash[8] = {0};
  hash_of(key, hash, sizeof hash);
  return hash[0];
}
