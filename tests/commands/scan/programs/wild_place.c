/* scan: conditional null-dereference 21
   An entry of a table that is not there: where a null pointer and an index lead is no object, whatever lies there. */
#include <stddef.h>
#include <stdlib.h>

struct part { int number; int *values; };
struct entry { char *name; size_t count; struct part *parts; };
struct table { struct entry *entries; };

struct table *table_new(void) { return calloc(1, sizeof(struct table)); }

void table_free(struct table *table)
{
    if (table == NULL) return;
    free(table->entries);
    free(table);
}

int count_of(const struct table *table, size_t at)
{
    struct entry entry = table->entries[at];
    return entry.count > 0 ? entry.parts[0].number : 0;
}
