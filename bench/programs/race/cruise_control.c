/* A cruise control through STEPS events of the driver. It must not be active while the brake is down, and setting a speed
   looks at the brake; resuming one does not.

   expect: unsafe
   native: asan
   input: nondet=0 nondet=1 nondet=1 nondet=1 nondet=1 nondet=3 nondet=4 nondet=6
*/
#include <assert.h>

#ifndef STEPS
#define STEPS 12
#endif

extern int __VERIFIER_nondet_int(void);

enum event { IGNITION, FASTER, SLOWER, SET, BRAKE, RELEASE, RESUME };
enum cruise { OFF, ACTIVE, SUSPENDED };

static enum cruise cruise = OFF;
static int runs, brakes, speed, target;

static void react(int event) {
  switch (event) {
  case IGNITION:
    runs = !runs;
    cruise = OFF;
    break;
  case FASTER:
    if (runs && !brakes && speed < 120)
      speed += 10;
    break;
  case SLOWER:
    if (speed > 0)
      speed -= 10;
    break;
  case SET:
    if (runs && !brakes && speed >= 40) {
      cruise = ACTIVE;
      target = speed;
    }
    break;
  case BRAKE:
    brakes = 1;
    if (cruise == ACTIVE)
      cruise = SUSPENDED;
    break;
  case RELEASE: brakes = 0; break;
  case RESUME:
    if (cruise == SUSPENDED && runs)
      cruise = ACTIVE;
    break;
  }
}

int main(void) {
  for (int i = 0; i < STEPS; ++i) {
    react(__VERIFIER_nondet_int());
    assert(cruise != ACTIVE || (runs && target >= 40));
    assert(cruise != ACTIVE || !brakes); /* BUG: assert */
  }
  return 0;
}
