/* scan: conditional null-dereference 22
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
    int found = 0;
    struct entry entry = table->entries[at];
    for (size_t i = 0; i < entry.count; i++) {
        struct part part = entry.parts[i];
        found += part.number != 0;
    }
    return found;
}
