/* A null pointer with a large offset is no better than null itself, and leads to nothing of the C library's.
   scan: nothing certain */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct allocator { void *(*get)(size_t); void (*put)(void *); };
struct sink { char *buf; size_t size, len; };

static void *get_none(size_t n) { (void)n; return NULL; }
static void put_none(void *p) { (void)p; }
const struct allocator none = { get_none, put_none }, plain = { malloc, free };

char *copy(const struct allocator *a, const char *text) {
  if (a == NULL || text == NULL)
    return NULL;
  size_t n = strlen(text) + 1;
  char *to = a->get(n);
  to[n - 1] = 0;
  return memcpy(to, text, n);
}

int put(struct sink *s, char c) {
  if (s->len >= s->size)
    return -1;
  s->buf[s->len++] = c;
  return 0;
}
