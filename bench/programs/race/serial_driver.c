/* A serial driver that is sent requests for ever. Every request takes the lock and gives it back, except for a write to a
   full buffer in non-blocking mode: its early return leaves the lock taken.

   expect: unsafe
   native: asan
   input: nondet=0 nondet=4 nondet=2 nondet=2 nondet=2 nondet=2 nondet=3
*/
#include <assert.h>

#ifndef SIZE
#define SIZE 3
#endif

extern int __VERIFIER_nondet_int(void);

enum request { OPEN, CLOSE, WRITE, DRAIN, NONBLOCKING };

static int locked, opened, filled, nonblocking;

static void lock(void) {
  assert(!locked); /* BUG: assert */
  locked = 1;
}

static void unlock(void) { locked = 0; }

static int write_byte(void) {
  lock();
  if (filled == SIZE) {
    if (nonblocking)
      return -1;
    filled = 0;
  }
  ++filled;
  unlock();
  return 1;
}

static void change(int *what, int value) {
  lock();
  *what = value;
  unlock();
}

int main(void) {
  while (1) {
    int request = __VERIFIER_nondet_int();

    if (!opened) {
      if (request == OPEN)
        change(&opened, 1);
      continue;
    }
    switch (request) {
    case CLOSE:
      change(&filled, 0);
      change(&nonblocking, 0);
      change(&opened, 0);
      break;
    case WRITE: write_byte(); break;
    case DRAIN:
      if (filled > 0)
        change(&filled, filled - 1);
      break;
    case NONBLOCKING: change(&nonblocking, !nonblocking); break;
    }
  }
}
