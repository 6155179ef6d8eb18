/* Anybody may pass compare, with data of its type.
   scan: likely out-of-bounds 11
   scan: conditional null-dereference 10 */
#include <stddef.h>

struct search { int wanted, number, places[4]; };

int compare(void *data, int value, unsigned at) {
  struct search *search = data;
  if (value != search->wanted || search->number > 4) return 0;
  search->places[search->number++] = at;
  return 1;
}

int each(const int *values, size_t size, int (*visit)(void *data, int value, unsigned at), void *data) {
  if (size > 2 || !values || !visit || !data) return 0;
  int found = 0;
  for (unsigned at = 0; at < size; at++) found += visit(data, values[at], at);
  return found;
}

int count(const int *values, size_t size, int wanted) {
  struct search search = {wanted, 0, {0}};
  return each(values, size, compare, &search);
}
