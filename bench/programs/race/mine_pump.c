/* The pump of a mine: water rises and falls, methane comes and goes, an operator stops and starts the system, for ever.
   The pump never runs with methane around, with the system stopped, or on dry ground.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum level { DRY, NORMAL, HIGH };

static int water = NORMAL, methane, pumps, enabled = 1;

static void change_environment(void) {
  if (pumps && water > DRY)
    --water;
  if (__VERIFIER_nondet_bool() && water < HIGH)
    ++water;
  if (__VERIFIER_nondet_bool())
    methane = !methane;
  if (__VERIFIER_nondet_bool())
    enabled = !enabled;
}

static void control(void) {
  if (pumps) {
    if (!enabled || methane || water == DRY)
      pumps = 0;
  } else if (enabled && water == HIGH && !methane) {
    pumps = 1;
  }
}

int main(void) {
  while (1) {
    change_environment();
    control();
    assert(!pumps || !methane);
    assert(!pumps || enabled);
    assert(!pumps || water != DRY);
  }
}
