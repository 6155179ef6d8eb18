struct table;
struct table *table_new(unsigned count);
void table_set(struct table *table, unsigned at, int value);
int table_sum(const struct table *table);
