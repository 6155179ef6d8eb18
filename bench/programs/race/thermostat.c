/* A thermostat with hysteresis whose sensor may fail: the heater stays as it is for up to two failures in a row, and is
   off for good from the third. It never gets too hot, nor too cold unless the thermostat gave up. Runs for ever.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

#define LOW 18
#define HIGH 21
#define OUTSIDE 8
#define PATIENCE 3

int main(void) {
  int temperature = 20, heats = 0, failures = 0, gave_up = 0;

  while (1) {
    int draught = __VERIFIER_nondet_bool();

    if (heats)
      temperature += draught ? 0 : 1;
    else
      temperature -= draught ? 2 : 1;
    if (temperature < OUTSIDE)
      temperature = OUTSIDE;

    if (gave_up) {
      heats = 0;
    } else if (__VERIFIER_nondet_bool()) {
      if (++failures == PATIENCE) {
        gave_up = 1;
        heats = 0;
      }
    } else {
      failures = 0;
      if (temperature < LOW)
        heats = 1;
      else if (temperature > HIGH)
        heats = 0;
    }
    assert(temperature <= HIGH + PATIENCE);
    assert(gave_up || temperature >= LOW - 2 * PATIENCE);
  }
}
