/* The loop shows how many entries there are, but which one is meant and how many are cleared is up to the caller.
   scan: conditional null-dereference 9
   scan: conditional out-of-bounds 9
   scan: conditional out-of-bounds 13 */
#include <string.h>
struct table { short *entries; unsigned count; };

short value(const struct table *t, unsigned i) {
  return t->entries[i];
}

void clear(struct table *t, unsigned char n) {
  memset(t->entries, 0, n);
}

int total(const struct table *t) {
  int sum = 0;
  for (unsigned i = 0; i < t->count; i++)
    sum = (sum + t->entries[i]) % 1000;
  return sum;
}
