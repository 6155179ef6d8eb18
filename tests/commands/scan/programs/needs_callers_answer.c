/* A function of the caller's says by a pointer whether it found something: whether it always does is its business.
   scan: conditional uninitialised 12 */
#include <stdbool.h>
#include <stddef.h>

struct table { int (*search)(const void *items, const void *key, bool *found); const void *items; };

int at(const struct table *table, const void *key) {
  if (table == NULL || table->search == NULL) return -2;
  bool found;
  int place = table->search(table->items, key, &found);
  return found ? place : -1;
}
