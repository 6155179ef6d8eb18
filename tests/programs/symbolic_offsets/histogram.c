/* expect: safe
   paths: 1
   native: asan
   A read that chooses among all cells asks about eight choices of 64 each; one that looks through the writes asks little. */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char text[8];
  unsigned counts[64] = {0};
  unfork_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 8; i++) counts[text[i] & 63]++;
  assert(counts[text[0] & 63] >= 1);
  return 0;
}
