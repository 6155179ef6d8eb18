/* No condition in C says that all elements of a list are so: lists differ in length. One of a single element does.
   scan: nothing certain */
#include <stddef.h>

struct item { int weight, *extra; struct item *next; };
struct bag { struct item *first; int count; };

int extras(const struct item *i) {
  int sum = 0;
  for (; i != NULL; i = i->next)
    sum += *i->extra & 7;
  return sum;
}

int ratio(const struct bag *b) {
  if (b == NULL || b->first == NULL)
    return 0;
  return 100 / b->first->weight;
}

int second(const struct bag *b) {
  if (b == NULL || b->count < 2)
    return -1;
  return b->first->next->weight;
}
