/* The row behind the last is read where no row has the key: makers show how many there are, and any key may be missing.
   The sum stops before.
   scan: certain out-of-bounds 28 */
#include <stddef.h>
#include <stdlib.h>

struct row {
  int key, value;
};
struct table {
  unsigned char count;
  struct row rows[];
};

struct table *table_new(unsigned char count) {
  if (count == 0 || count > 4)
    return NULL;
  struct table *table = calloc(1, sizeof *table + count * sizeof table->rows[0]);
  if (table)
    table->count = count;
  return table;
}

int table_find(const struct table *table, int key) {
  if (table == NULL)
    return 0;
  for (size_t at = 0; at <= table->count; at++) {
    int known = table->rows[at].key;
    if (known == key)
      return table->rows[at].value;
  }
  return 0;
}

long table_sum(const struct table *table) {
  long sum = 0;
  for (size_t at = 0; table && at < table->count; at++)
    sum += table->rows[at].value;
  return sum;
}
