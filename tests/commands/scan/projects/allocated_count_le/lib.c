/* A sum reads one element more than the table was made with.

   finds: out-of-bounds at 32: certain by table_sum
*/
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
  int *items = calloc(count, sizeof *items);
  if (!items) abort();
  table->items = items;
  table->count = count;
  return table;
}

void table_set(struct table *table, unsigned at, int value) {
  if (table && table->items && at < table->count) table->items[at] = value;
}

int table_sum(const struct table *table) {
  int sum = 0;
  if (!table || !table->items) return 0;
  for (unsigned i = 0; i <= table->count; i++) sum ^= table->items[i];
  return sum;
}
