/* Reading from an empty pipe that could still be written waits for ever.
   expect: unknown unsupported
   native: none (waits for ever) */
#include "../kernel_scratch.h"

int main(void) {
  int ends[2];
  char text[8];
  assert(pipe(ends) == 0);
  read(ends[0], text, 8);
  return 0;
}
