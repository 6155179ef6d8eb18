/* Every round has its own way to fail.
   expect: unsafe
   paths: 5
   native: asan
   input: s=7,0,0,0
   input: s=0,0,0,7 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char s[4];
  unfork_symbolic(s, sizeof s, "s");
  for (int i = 0; i < 4; i++)
    assert(s[i] != 7); /* BUG: assert */
  return 0;
}
