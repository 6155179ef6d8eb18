/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int command, level = 0;
  unfork_symbolic(&command, sizeof command, "command");
  switch (command) {
  case 1: level = 1; break;
  case 2: level += 2; break;
  case 3: level = 3; break;
  }
  assert(command != 1 || level == 1);
  return 0;
}
