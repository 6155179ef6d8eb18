/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char text[4], counts[4] = {0};
  unfork_symbolic(text, sizeof text, "text");
  for (int i = 0; i < 4; i++) counts[text[i] & 3]++;
  assert(counts[0] + counts[1] + counts[2] + counts[3] == 4);
  assert(counts[text[2] & 3] >= 1);
  return 0;
}
