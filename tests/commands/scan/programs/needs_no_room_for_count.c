/* What counts hashes is not the size of the text beside it: the text ends with a NUL.
   scan: conditional null-dereference 8 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text, unsigned seed) {
  return strlen(text) * 31 + seed;
}

uint64_t *hashes_of(const char *text, unsigned num_hashes) {
  if (num_hashes > 8) return NULL;
  uint64_t *hashes = calloc(num_hashes, sizeof *hashes);
  if (hashes == NULL) return NULL;
  for (unsigned i = 0; i < num_hashes; i++) hashes[i] = hash_of(text, i);
  return hashes;
}
