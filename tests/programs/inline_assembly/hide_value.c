/* An empty template that claims to change a register hides the value from the compiler only.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  int x = 5;
  __asm__("" : "+r"(x));
  assert(x == 5);
  long y = 7;
  __asm__ volatile("" : "+r"(y) : : "memory");
  assert(y + x == 12);
  return 0;
}
