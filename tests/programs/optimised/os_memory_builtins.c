/* At -Os loops become memset and memcpy.
   expect: safe
   options: --cflags "-Os"
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char from[12], to[12];
  unfork_symbolic(from, sizeof from, "from");
  for (int i = 0; i < 12; i++) to[i] = 0;
  for (int i = 0; i < 6; i++) to[i] = from[i];
  assert(to[5] == from[5]);
  assert(to[6] == 0 && to[11] == 0);
  return 0;
}
