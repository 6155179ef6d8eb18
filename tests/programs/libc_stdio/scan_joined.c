/* Behind joins, where the library has read on and has put characters back, is a choice of sums of choices of addresses.
   expect: safe
   options: --merge static --similar always
   native: asan */
#include <assert.h>
#include <stdio.h>
#include "unfork.h"

int main(void) {
  char s[3];
  int value;
  unfork_symbolic(s, sizeof s, "s");
  s[2] = 0;
  if (sscanf(s, "%d", &value) == 1) {
    unsigned char first = s[0];
    assert((first >= '0' && first <= '9') || first == '+' || first == '-' || first == ' ' || (first >= 9 && first <= 13));
  }
  return 0;
}
