/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

struct machine { unsigned state : 4; };

int main(void) {
  unsigned state;
  struct machine m;
  unfork_symbolic(&state, sizeof state, "state");
  if (state > 8) return 0;
  m.state = state;
  assert(m.state == state);
  return 0;
}
