/* A number becomes an integer that has no room for it, if members of the caller's have values that nothing tests: what
   the library's logarithm decides about them is no test of the project's.
   scan: conditional uninitialised 16 */
#include <math.h>
#include <stdint.h>

struct filter { uint64_t hashes, bits, count; const unsigned char *bytes; };

static uint64_t from_numbers(uint64_t bits, uint64_t set, uint64_t hashes) {
  return (uint64_t)-((double)bits / hashes * log(1 - (double)set / bits));
}

uint64_t estimate(const struct filter *f) {
  uint64_t set = 0;
  for (uint64_t i = 0; i < f->count; i++) set += f->bytes[i] & 1;
  return from_numbers(f->bits, set, f->hashes);
}
