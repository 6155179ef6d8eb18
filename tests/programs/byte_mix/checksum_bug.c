/* expect: unsafe
   native: asan
   input: data=1,0,0 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char packet[5] = {0xaa, 0, 0, 0, 0x55};
  unfork_symbolic(packet + 1, 3, "data");
  unsigned char sum = 0;
  for (int i = 0; i < 5; i++) sum = (unsigned char)(sum + packet[i]);
  assert(sum != 0); /* BUG: assert */
  return 0;
}
