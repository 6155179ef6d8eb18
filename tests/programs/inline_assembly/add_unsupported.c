/* expect: unknown unsupported
   native: gcc */
#include <assert.h>

int main(void) {
  int x = 3;
  __asm__("addl $4, %0" : "+r"(x));
  assert(x == 7);
  return 0;
}
