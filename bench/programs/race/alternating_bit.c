/* Bounded retransmission with an alternating bit: FRAMES frames, each sent up to TRIES times over a line that loses frames
   and acknowledgements. What the sender concludes (sent, not sent, perhaps) agrees with what the receiver has.

   expect: safe
   native: asan
*/
#include <assert.h>

#ifndef FRAMES
#define FRAMES 6
#endif
#ifndef TRIES
#define TRIES 3
#endif

extern _Bool __VERIFIER_nondet_bool(void);

enum conclusion { SENT, NOT_SENT, PERHAPS };

static int received, expected;

static void receive(int bit, int frame) {
  if (bit != expected)
    return;
  assert(frame == received);
  ++received;
  expected = !expected;
}

static enum conclusion send_all(void) {
  int bit = 0;

  for (int frame = 0; frame < FRAMES; ++frame) {
    int acknowledged = 0;

    for (int i = 0; i < TRIES && !acknowledged; ++i) {
      if (__VERIFIER_nondet_bool())
        continue;
      receive(bit, frame);
      acknowledged = !__VERIFIER_nondet_bool();
    }
    if (!acknowledged)
      return frame == FRAMES - 1 ? PERHAPS : NOT_SENT;
    bit = !bit;
  }
  return SENT;
}

int main(void) {
  enum conclusion conclusion = send_all();

  assert(conclusion != SENT || received == FRAMES);
  assert(conclusion != NOT_SENT || received < FRAMES);
  assert(conclusion != PERHAPS || received >= FRAMES - 1);
  return 0;
}
