/* A flexible array member of structs that hold pointers: elements at unknown places.
   expect: safe
   options: --function touch
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct entry {
    char *key;
    int value;
};
struct map {
    unsigned count;
    struct entry entries[];
};

void touch(struct map *map, unsigned i, unsigned j)
{
    if (!map || i >= 30 || j >= 30)
        return;
    unsigned count = map->count;
    char *key = map->entries[j].key;
    map->entries[i].key = NULL;
    map->entries[i].value = 5;
    assert(map->entries[j].key == (i == j ? NULL : key));
    map->entries[4].value = 6;
    assert(map->entries[i].value == (i == 4 ? 6 : 5) && map->count == count);
}
