/* A traffic light that runs for ever, and has three states. */
#include "unfork.h"

enum light { RED, GREEN, YELLOW };

int main(void) {
  enum light light = RED;

  for (;;) {
    int button;
    unfork_symbolic(&button, sizeof button, "button");
    if (light == RED && button)
      light = GREEN;
    else if (light == GREEN)
      light = YELLOW;
    else if (light == YELLOW)
      light = RED;
    unfork_check(light <= YELLOW);
  }
}
