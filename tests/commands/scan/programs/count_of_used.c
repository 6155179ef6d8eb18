/* What is in use is counted, and there is room for one more: nothing says how many there are.
   scan: conditional null-dereference 9 */
#include <stddef.h>
struct list { int *items; unsigned used, room; };

int last(const struct list *l, unsigned i) {
  if (l == NULL || i > l->used)
    return -1;
  return l->items[i];
}

int total(const struct list *l) {
  int sum = 0;
  for (unsigned i = 0; i < l->used; i++)
    sum = (sum + l->items[i]) % 1000;
  return sum;
}

void add(struct list *l, int item) {
  l->items[l->used++] = item;
  l->items[l->used] = 0;
}
