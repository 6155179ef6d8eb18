/* The lock of a device driver that serves packets for ever: it is taken before each look at the queue, and given back
   inside the loop for every request, or behind it when there was none. Never taken or given back twice.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

#ifndef PACKETS
#define PACKETS 8
#endif

extern int __VERIFIER_nondet_int(void);

static int locked;

static void acquire(void) {
  assert(!locked);
  locked = 1;
}

static void release(void) {
  assert(locked);
  locked = 0;
}

int main(void) {
  int packets = 0, before;

  while (1) {
    do {
      acquire();
      before = packets;
      if (__VERIFIER_nondet_int()) {
        release();
        packets = (packets + 1) % PACKETS;
      }
    } while (packets != before);
    release();
  }
}
