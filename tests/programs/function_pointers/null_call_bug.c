/* A handler was never set.
   expect: unsafe
   native: asan
   input: event=2 */
#include "unfork.h"

static int handle(void) { return 0; }

int main(void) {
  int (*handlers[3])(void) = {handle, handle};
  unsigned event;
  unfork_symbolic(&event, sizeof event, "event");
  return handlers[event % 3](); /* BUG: null-dereference */
}
