/* The third item is counted, although there is no room for it.

   finds: out-of-bounds at 31: certain by table_weight
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
  if (!table) return false;
  if (table->count < 2) table->items[table->count] = item;
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
