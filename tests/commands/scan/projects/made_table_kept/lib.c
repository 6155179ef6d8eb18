/* A table never counts more than it has room for: the only function that counts sees to it.

   finds: out-of-bounds at 31: conditional
*/
#include <stdbool.h>

#include "lib.h"

static const int weights[3] = {1, 3, 9};

void table_init(struct table *table) {
  if (!table) return;
  table->count = 0;
  table->limit = 2;
}

bool table_put(struct table *table, int item) {
  if (!table || table->count >= 2) return false;
  table->items[table->count] = item;
  table->count++;
  return true;
}

void table_clear(struct table *table) {
  if (!table) return;
  table->count = 0;
}

int table_weight(const struct table *table) {
  if (!table) return -1;
  return table->count <= 3 ? weights[table->count] : -1;
}
