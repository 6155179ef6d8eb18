/* The size is that of the data: every call passes an array of eight bytes for the hash.
   scan: conditional out-of-bounds 9 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void hash_of(const uint8_t *data, uint8_t *hash, size_t size) {
  if (size > 4) return;
  memset(hash, 1, 8);
  for (size_t i = 0; i < size; i++) hash[i] ^= data[i];
}

int hash_of_key(const uint8_t key[4]) {
  uint8_t hash[8], copy[4] = {key[0], key[1], key[2], key[3]};
  hash_of(copy, hash, sizeof copy);
  return hash[0];
}
