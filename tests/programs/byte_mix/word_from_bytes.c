/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned char raw[4];
  unsigned word;
  unfork_symbolic(raw, sizeof raw, "raw");
  memcpy(&word, raw, 4);
  assert(word == (raw[0] | raw[1] << 8 | raw[2] << 16 | (unsigned)raw[3] << 24));
  return 0;
}
