/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, sizeof s, "s");
  s[4] = 0;
  unsigned long n = strlen(s);
  assert(n <= 4);
  assert(s[n] == 0);
  for (unsigned long i = 0; i < n; i++) assert(s[i] != 0);
  return 0;
}
