/* The command is read to its end.
   expect: unsafe
   native: none (it would run a command) */
#include <stdlib.h>

int main(void) {
  char command[4] = {'t', 'r', 'u', 'e'};
  return system(command); /* BUG: out-of-bounds */
}
