/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

union word {
  uint32_t whole;
  uint16_t half[2];
  uint8_t byte[4];
};

int main(void) {
  union word w;
  unfork_symbolic(&w.whole, sizeof w.whole, "w");
  assert(w.half[0] == (w.whole & 0xffff) && w.half[1] == w.whole >> 16);
  assert(w.byte[3] == w.whole >> 24);
  w.byte[1] = 0;
  assert((w.whole & 0xff00) == 0);
  return 0;
}
