#include <stdbool.h>
struct table {
  unsigned count, limit;
  int items[2];
};
void table_init(struct table *table);
bool table_put(struct table *table, int item);
void table_clear(struct table *table);
int table_weight(const struct table *table);
