/* Three bits hold eight states, not nine.
   expect: unsafe
   native: asan
   input: state=8 */
#include <assert.h>
#include "unfork.h"

struct machine { unsigned state : 3; };

int main(void) {
  unsigned state;
  struct machine m;
  unfork_symbolic(&state, sizeof state, "state");
  if (state > 8) return 0;
  m.state = state;
  assert(m.state == state); /* BUG: assert */
  return 0;
}
