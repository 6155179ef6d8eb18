/* Two rounds of a cipher of 16 bits with a table of 16: one pair of key and text has this result.
   expect: unsafe
   native: asan
   input: text=137 key=159 */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

static const uint8_t box[16] = {12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2};

static unsigned round_of(unsigned x, unsigned key) {
  x ^= key;
  unsigned y = 0;
  for (int i = 0; i < 3; i++) y |= (unsigned)box[x >> 4 * i & 15] << 4 * i;
  return (y * 37 + (y >> 7)) & 0xfff;
}

int main(void) {
  uint16_t text;
  uint8_t key;
  unfork_symbolic(&text, sizeof text, "text");
  unfork_symbolic(&key, sizeof key, "key");
  if (text >= 1 << 12) return 0;
  unsigned x = text;
  for (unsigned i = 1; i <= 4; i++) x = round_of(x, key * i & 0xfff);
  assert(x != 195 || round_of(text, 0) % 29 != 18); /* BUG: assert */
  return 0;
}
