/* A longjmp whose target was set at one of two places.

   expect: unsafe
   native: none (what a jump leaves of locals in registers is the compiler's choice)
*/
#include <assert.h>
#include <setjmp.h>

#include "unfork.h"

static jmp_buf target;

static void leave(char noise) {
  if (noise & 1)
    noise = 4;
  longjmp(target, 1);
}

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (setjmp(target)) {
    assert(way != 3); /* BUG: assert */
    return 0;
  }
  if (way == 3)
    noise &= 1;
  leave(noise);
  return 1;
}
