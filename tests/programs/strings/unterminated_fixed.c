/* expect: safe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 0;
  return strlen(s) == 9;
}
