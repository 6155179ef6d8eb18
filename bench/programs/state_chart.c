/* A controller in the style of code that is generated from state charts: three machines side by side (a door, a motor and
   a lamp), each with a switch over its state, which react to one event a step. STEPS events, any of EVENTS each.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef STEPS
#define STEPS 2
#endif

enum event { CALL, ARRIVE, OBSTACLE, TICK, EVENTS };
enum door { OPEN, CLOSING, CLOSED, OPENING };
enum motor { IDLE, MOVING, STOPPING };
enum lamp { DARK, LIT };

static enum door door = OPEN;
static enum motor motor = IDLE;
static enum lamp lamp = DARK;
static int called, ticks;

static void step_door(enum event event) {
  switch (door) {
  case OPEN:
    if (event == CALL || (called && event == TICK))
      door = CLOSING;
    break;
  case CLOSING:
    if (event == OBSTACLE)
      door = OPENING;
    else if (event == TICK)
      door = CLOSED;
    break;
  case CLOSED:
    if (motor == IDLE && event == OBSTACLE)
      door = OPENING;
    break;
  case OPENING:
    if (event == TICK)
      door = OPEN;
    break;
  }
}

static void step_motor(enum event event) {
  switch (motor) {
  case IDLE:
    if (called && door == CLOSED)
      motor = MOVING;
    break;
  case MOVING:
    if (event == ARRIVE)
      motor = STOPPING;
    break;
  case STOPPING:
    if (event == TICK) {
      motor = IDLE;
      called = 0;
    }
    break;
  }
}

static void step_lamp(enum event event) {
  switch (lamp) {
  case DARK:
    if (event == CALL || event == OBSTACLE) {
      lamp = LIT;
      ticks = 0;
    }
    break;
  case LIT:
    if (event == TICK && ++ticks > 2)
      lamp = DARK;
    break;
  }
}

int main(void) {
  unsigned char events[STEPS];

  unfork_symbolic(events, sizeof events, "events");
  for (int i = 0; i < STEPS; ++i) {
    enum event event = (enum event)(events[i] % EVENTS);
    if (event == CALL)
      called = 1;
    step_door(event);
    step_motor(event);
    step_lamp(event);
    assert(motor != MOVING || door == CLOSED);
    assert(ticks <= 3);
  }
  return 0;
}
