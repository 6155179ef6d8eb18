/* expect: unsafe
   input: button=0 button=1 */
#include "unfork.h"

int main(void) {
  int light = 0, waiting = 0;
  for (;;) {
    unsigned char button;
    unfork_symbolic(&button, 1, "button");
    if (button)
      waiting = 1;
    if (light == 0 && waiting) {
      light = 1;
      waiting = button & 1;
    } else if (light == 1) {
      light = 0;
    }
    unfork_check(!(light && waiting)); /* BUG: assert */
  }
}
