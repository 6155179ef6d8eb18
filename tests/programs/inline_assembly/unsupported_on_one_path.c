/* The path through the assembly is given up loudly, the bug on the other is found.
   expect: unsafe
   native: asan
   input: x=3 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 1000) __asm__ volatile("rdtsc" ::: "rax", "rdx");
  assert(x != 3); /* BUG: assert */
  return 0;
}
