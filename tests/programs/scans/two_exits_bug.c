/* Two ways out of a loop: what holds behind each, and a mistake behind the second.
   expect: unsafe
   native: asan
   input: s="ab" */
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, sizeof s, "s");
  s[4] = 0;
  int i;
  for (i = 0;; i++) {
    if (s[i] == ',') {
      unfork_check(s[i] == ',' && i < 4);
      return 1;
    }
    if (s[i] == 0) break;
  }
  unfork_check(s[i] == 0);
  unfork_check(i != 2 || s[1] != 'b'); /* BUG: assert */
  return 0;
}
