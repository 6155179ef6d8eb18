/* Without covers this never ends: a controller that runs for ever has four states.
   expect: safe
   native: none (it never ends) */
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
      waiting = 0;
    } else if (light == 1) {
      light = 0;
    }
    unfork_check(!(light && waiting));
  }
}
