/* The third byte brings a decoder into the state in which the table is left.

   finds: out-of-bounds at 35: certain by decoder_poll
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
  decoder->seen++;
  decoder->state = decoder->seen == 3 ? BROKEN : byte ? READING : DONE;
}

int decoder_poll(const struct decoder *decoder) {
  if (!decoder) return 0;
  if (decoder->state != BROKEN) return 0;
  return lengths[BROKEN];
}
