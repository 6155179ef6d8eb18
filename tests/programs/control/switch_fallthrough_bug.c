/* A break is missing.
   expect: unsafe
   native: asan
   input: command=1 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int command, level = 0;
  unfork_symbolic(&command, sizeof command, "command");
  switch (command) {
  case 1: level = 1; /* fall through */
  case 2: level += 2; break;
  case 3: level = 3; break;
  }
  assert(command != 1 || level == 1); /* BUG: assert */
  return 0;
}
