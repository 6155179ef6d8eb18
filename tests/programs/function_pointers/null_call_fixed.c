/* expect: safe
   native: asan */
#include "unfork.h"

static int handle(void) { return 0; }

int main(void) {
  int (*handlers[3])(void) = {handle, handle};
  unsigned event;
  unfork_symbolic(&event, sizeof event, "event");
  if (!handlers[event % 3]) return 0;
  return handlers[event % 3]();
}
