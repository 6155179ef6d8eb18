/* Of three pointers into one text, the last one is read first: the one before it lies before it all the same.
   expect: safe
   options: --function blanks --sizes pair --lengths measured --merge none
   native: none (a function that is run alone) */
#include "unfork.h"

struct segment { const char *path, *begin, *end; };

long offset(const struct segment *s) {
  return s ? s->begin - s->path : 0;
}

long length(const struct segment *s) {
  return s ? s->end - s->begin : 0;
}

int blanks(const struct segment *s) {
  if (!s || !s->path) return 0;
  const char *end = s->end;
  if (*end == ' ') return 1;
  unfork_check(end >= s->begin);
  return *s->begin == ' ';
}
