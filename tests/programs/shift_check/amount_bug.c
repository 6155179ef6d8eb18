/* expect: unsafe
   options: --check shift
   native: asan
   input: n=32
   input: n=-1 */
#include "unfork.h"

int main(void) {
  int n;
  unfork_symbolic(&n, sizeof n, "n");
  unsigned mask = 1u << n; /* BUG: shift */
  return mask == 0 ? 0 : 0;
}
