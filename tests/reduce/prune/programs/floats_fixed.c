/* Numbers of any kind are values like others.
   expect: safe
   native: none (it never ends) */
#include "unfork.h"

int main(void) {
  double level = 0.0;
  for (;;) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x < 80)
      level = level < 1.5 ? level + 0.5 : 0.5;
    else if (x < 160)
      level = level * 0.5 > 0.2 ? 0.5 : 0.0;
    unfork_check(level <= 2.0);
  }
}
