/* One end of a TCP connection through STEPS events: data is taken only while both sides have opened and the other has not
   closed, and everything is forgotten once the connection is closed.

   expect: safe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

#ifndef STEPS
#define STEPS 16
#endif

enum event { LISTEN_CALL, CONNECT_CALL, CLOSE_CALL, SYN, SYN_ACK, ACK, FIN, RST, DATA, TIMEOUT, EVENTS };
enum state { CLOSED, LISTEN, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT, CLOSE_WAIT, LAST_ACK, TIME_WAIT };

static enum state state = CLOSED;
static int sent_syn, got_syn, got_fin, accepted;

static enum state next(enum event event) {
  if (event == RST && state != LISTEN)
    return CLOSED;
  switch (state) {
  case CLOSED: return event == LISTEN_CALL ? LISTEN : event == CONNECT_CALL ? SYN_SENT : CLOSED;
  case LISTEN: return event == SYN ? SYN_RECEIVED : event == CLOSE_CALL ? CLOSED : LISTEN;
  case SYN_SENT: return event == SYN_ACK ? ESTABLISHED : event == SYN ? SYN_RECEIVED : event == TIMEOUT ? CLOSED : SYN_SENT;
  case SYN_RECEIVED: return event == ACK ? ESTABLISHED : event == CLOSE_CALL ? FIN_WAIT : SYN_RECEIVED;
  case ESTABLISHED: return event == CLOSE_CALL ? FIN_WAIT : event == FIN ? CLOSE_WAIT : ESTABLISHED;
  case FIN_WAIT: return event == FIN ? TIME_WAIT : FIN_WAIT;
  case CLOSE_WAIT: return event == CLOSE_CALL ? LAST_ACK : CLOSE_WAIT;
  case LAST_ACK: return event == ACK ? CLOSED : LAST_ACK;
  case TIME_WAIT: return event == TIMEOUT ? CLOSED : TIME_WAIT;
  }
  return state;
}

int main(void) {
  unsigned char events[STEPS];

  unfork_symbolic(events, sizeof events, "events");
  for (int i = 0; i < STEPS; ++i) {
    enum event event = (enum event)(events[i] % EVENTS);

    if (event == DATA && (state == ESTABLISHED || state == FIN_WAIT)) {
      assert(sent_syn && got_syn && !got_fin);
      ++accepted;
    }
    state = next(event);
    sent_syn |= state == SYN_SENT || state == SYN_RECEIVED;
    got_syn |= state == SYN_RECEIVED || state == ESTABLISHED;
    got_fin |= state == CLOSE_WAIT || state == TIME_WAIT;
    if (state == CLOSED)
      sent_syn = got_syn = got_fin = accepted = 0;
    assert(state != ESTABLISHED || (sent_syn && got_syn));
    assert(accepted == 0 || got_syn);
  }
  return 0;
}
