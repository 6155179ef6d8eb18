/* The table was made with a last element that is not counted, which ends a sum. */
#include <stdlib.h>

#include "lib.h"

struct table {
  int *items;
  unsigned count;
};

struct table *table_new(unsigned count) {
  if (count > 8) return NULL;
  struct table *table = malloc(sizeof *table);
  if (!table) abort();
  int *items = malloc((count + 1ul) * sizeof *items);
  if (!items) abort();
  table->items = items;
  table->count = count;
  for (unsigned i = 0; i < count; i++) items[i] = 1;
  items[count] = 0;
  return table;
}

void table_set(struct table *table, unsigned at, int value) {
  if (table && table->items && at < table->count) table->items[at] = value;
}

int table_sum(const struct table *table) {
  int sum = 0;
  if (!table || !table->items) return 0;
  for (unsigned i = 0; table->items[i] != 0; i++) sum ^= table->items[i];
  sum += table->items[table->count];
  return sum;
}
