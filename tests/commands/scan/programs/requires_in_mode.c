/* A reader needs its columns in one mode alone, and a new one has none.
   scan: nothing certain */
#include <stddef.h>

struct reader { int mode, columns, cells; };
struct ring { char *data; unsigned room, head, used; };

void start(struct reader *r) {
  if (r == NULL)
    return;
  r->mode = r->columns = r->cells = 0;
}

int feed(struct reader *r, char c) {
  if (r == NULL)
    return -1;
  if (r->mode == 0)
    return c == '|';
  return (r->cells & 1023) % r->columns;
}

int peek(const struct ring *r) {
  return r->used ? r->head % r->room : 0;
}

int flip(unsigned a, unsigned b) {
  return (a ^ b) == 77 ? 0 : 100 / a;
}
