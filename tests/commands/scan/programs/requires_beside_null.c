/* What the code asks of an object that may be null is asked only where it is not, and only on the ways that come there.
   scan: nothing certain */
#include <stddef.h>
#include <string.h>

struct options { int indent, width; const char *mark; };
struct bytes { char *data; size_t size; };

int indent_of(const struct options *o, int level) {
  int indent = 2;
  if (o != NULL)
    indent = o->width / o->indent;
  return indent * (level & 15);
}

size_t mark_length(const struct options *o) {
  if (o == NULL || o->indent == 0)
    return 0;
  return strlen(o->mark);
}

char last_of(const struct bytes *b) {
  if (b == NULL || b->size == 0)
    return 0;
  return b->data[b->size - 1];
}

int pick(const int *table, const struct options *o, unsigned char which) {
  if (which & 1)
    return table[0];
  return o->indent % o->width;
}
