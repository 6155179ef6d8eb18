/* A word lies between two pointers into one text. Nothing tests that there is room for it.
   expect: unsafe
   options: --function copied --sizes pair --lengths measured --merge none
   native: none (a function that is run alone) */
#include <string.h>

struct scanner { const char *start; const char *current; };

int length(const struct scanner *s) {
  return s ? (int)(s->current - s->start) : 0;
}

int copied(const struct scanner *s) {
  char word[4] = "";
  if (!s || !s->start) return 0;
  memcpy(word, s->start, s->current - s->start); /* BUG: out-of-bounds */
  return word[0] == *s->current;
}
