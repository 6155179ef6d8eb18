/* Copies of one unwritten byte are equal, whatever it is; bytes that were written need not be.
   expect: unsafe
   input: c=2
*/
#include <string.h>

#include "unfork.h"

int main(void) {
  unsigned char own[2], copy[2], c;
  memcpy(copy, own, sizeof copy);
  unfork_symbolic(&c, 1, "c");
  if (c == 0)
    copy[1] = 1;
  else if (c == 2)
    own[0] = 2;
  unfork_check(own[0] == copy[0]); /* BUG: assert */
  return 0;
}
