/* Null is as good as an object where there are no bytes of it.
   scan: nothing certain */
#include <stddef.h>
#include <string.h>

struct blob { unsigned char *data; size_t size; };

void fill(struct blob *b, unsigned char c) {
  for (size_t i = 0; i < b->size; i++)
    b->data[i] = c;
}

int equal(const struct blob *a, const struct blob *b) {
  if (a->size != b->size)
    return 0;
  return memcmp(a->data, b->data, a->size) == 0;
}
