/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char packet[5] = {0xaa, 0, 0, 0, 0x55};
  unfork_symbolic(packet + 1, 3, "data");
  for (int i = 1; i < 4; i++) unfork_assume(packet[i] == 0);
  unsigned char sum = 0;
  for (int i = 0; i < 5; i++) sum = (unsigned char)(sum + packet[i]);
  assert(sum == 255);
  return 0;
}
