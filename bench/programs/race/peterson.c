/* Peterson's mutual exclusion for two processes, step by step under a scheduler that never ends: they are never in the
   critical section together.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum place { IDLE, WANTS, WAITS, CRITICAL };

static enum place places[2];
static int flags[2], turn;

static void step(int self) {
  int other = 1 - self;

  switch (places[self]) {
  case IDLE:
    if (__VERIFIER_nondet_bool()) {
      flags[self] = 1;
      places[self] = WANTS;
    }
    break;
  case WANTS:
    turn = other;
    places[self] = WAITS;
    break;
  case WAITS:
    if (!flags[other] || turn == self)
      places[self] = CRITICAL;
    break;
  case CRITICAL:
    flags[self] = 0;
    places[self] = IDLE;
    break;
  }
}

int main(void) {
  while (1) {
    step(__VERIFIER_nondet_bool());
    assert(places[0] != CRITICAL || places[1] != CRITICAL);
  }
}
