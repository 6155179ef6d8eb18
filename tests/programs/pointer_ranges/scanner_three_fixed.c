/* Of three pointers into one text, those that are subtracted from others lie before them.
   expect: safe
   options: --function blanks --sizes pair --lengths measured --merge none
   native: none (a function that is run alone) */
#include "unfork.h"

struct segment { const char *path, *begin, *end; };

long offset(const struct segment *s) {
  return s ? s->begin - s->path : 0;
}

int blanks(const struct segment *s) {
  if (!s || !s->path) return 0;
  unfork_check(s->begin >= s->path);
  long length = s->end - s->begin;
  unfork_check(length >= 0);
  if (length > 2) return -1;
  int count = *s->end == ' ';
  for (long i = 0; i < length; i++) count += s->begin[i] == ' ';
  unfork_check(count <= 3);
  return count;
}
