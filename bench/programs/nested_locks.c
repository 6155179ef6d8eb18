/* LOCKS locks, each taken only if its input asks for it, and given back in reverse order if the same input asks again:
   whoever forgets which are held cannot tell that none is given back that was not taken. 2^LOCKS paths.

   expect: safe
   paths: 16
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef LOCKS
#define LOCKS 4
#endif

int main(void) {
  char wanted[LOCKS], held[LOCKS] = {0};

  unfork_symbolic(wanted, sizeof wanted, "wanted");
  for (int i = 0; i < LOCKS; ++i)
    if (wanted[i]) {
      assert(!held[i]);
      held[i] = 1;
    }
  for (int i = LOCKS - 1; i >= 0; --i)
    if (wanted[i]) {
      assert(held[i]);
      held[i] = 0;
    }
  for (int i = 0; i < LOCKS; ++i)
    assert(!held[i]);
  return 0;
}
