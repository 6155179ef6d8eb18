/* The second pointer leads into the text of the first, at most to its end: what both bound is there, and so is the
   character behind it.
   expect: safe
   options: --function copied --sizes pair --lengths measured --merge none
   native: none (a function that is run alone) */
#include "unfork.h"
#include <string.h>

struct scanner { const char *start; const char *current; };

int copied(const struct scanner *s) {
  char word[4] = "";
  if (!s || !s->start) return 0;
  long length = s->current - s->start;
  unfork_check(length >= 0);
  unfork_check(s->current >= s->start);
  if (length > 4) return 1;
  memcpy(word, s->start, length);
  if (length) unfork_check(word[0] == s->start[0]);
  return word[0] == *s->current;
}
