/* A reader is opened through a parameter; the second step leaves its table.

   finds: out-of-bounds at 33: certain by reader_next
*/
#include <stdlib.h>

#include "lib.h"

struct reader {
  unsigned at;
};

static const int steps[2] = {3, 5};

int reader_open(struct reader **reader, unsigned at) {
  if (!reader) return -1;
  *reader = NULL;
  if (at > 1) return -2;
  struct reader *made = malloc(sizeof *made);
  if (!made) return -1;
  made->at = at;
  *reader = made;
  return 0;
}

void reader_step(struct reader *reader) {
  if (!reader) return;
  if (reader->at < 2) reader->at++;
}

int reader_next(const struct reader *reader) {
  if (!reader) return 0;
  return reader->at <= 2 ? steps[reader->at] : 0;
}
