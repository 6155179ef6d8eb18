/* A decoder has no state in which the table is left: neither its maker nor its calls set one.

   finds: out-of-bounds at 34: conditional
*/
#include <stdlib.h>

#include "lib.h"

static const int lengths[3] = {1, 2, 4};

enum { WAITING, READING, DONE, BROKEN };

struct decoder {
  int state;
  int seen;
};

struct decoder *decoder_new(void) {
  struct decoder *decoder = malloc(sizeof *decoder);
  if (!decoder) abort();
  decoder->state = WAITING;
  decoder->seen = 0;
  return decoder;
}

void decoder_feed(struct decoder *decoder, unsigned char byte) {
  if (!decoder) return;
  decoder->state = byte ? READING : DONE;
}

int decoder_poll(const struct decoder *decoder) {
  if (!decoder) return 0;
  if (decoder->state != BROKEN) return 0;
  return lengths[BROKEN];
}
