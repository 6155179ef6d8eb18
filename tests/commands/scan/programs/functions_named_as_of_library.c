/* A program's own functions may be named as those of the C library, and take other arguments.
   scan: nothing */
#include <stdint.h>
#include <string.h>

struct link {
  uint8_t bytes[16], *from;
  int at;
};

static int recv(struct link *link, uint16_t count) { return link->at + count; }

static void *xmalloc(void) { return NULL; }

static int send(struct link *link) { return link->from != xmalloc(); }

int step(struct link *link) {
  if (!link || link->at > 8) return 0;
  memcpy(link->bytes, "abc", 3);
  return recv(link, 2) + send(link);
}
