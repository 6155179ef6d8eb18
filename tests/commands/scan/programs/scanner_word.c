/* A scanner's pointers lead into one text: the word between them may be longer than the buffer of a copy of it.
   scan: certain out-of-bounds 15 */
#include <ctype.h>
#include <string.h>

struct scanner { const char *start, *current; };

static void word(struct scanner *s) {
  for (s->start = s->current; isalpha((unsigned char)*s->current); s->current++) {}
}

static void copied(struct scanner *s, char *to, size_t size) {
  size_t length = s->current - s->start;
  if (length > size) length = size;
  memcpy(to, s->start, length), to[length] = '\0';
}

int keyword(struct scanner *s) {
  char name[8];
  if (!s || !s->start || !s->current) return -1;
  word(s);
  copied(s, name, sizeof name);
  return strcmp(name, "if") == 0 ? 1 : 0;
}
