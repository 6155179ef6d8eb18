/* Cases that lead to one place are one way: three ways here, not eleven.
   expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include "unfork.h"

static volatile int seen;

int main(void) {
  unsigned char c;
  unfork_symbolic(&c, sizeof c, "c");
  switch (c) {
  case 'a': case 'e': case 'i': case 'o': case 'u': seen = 1; break;
  case '+': case '-': case '*': case '/': case '%': seen = 2; break;
  default: seen = 3;
  }
  assert(seen > 0);
  return 0;
}
