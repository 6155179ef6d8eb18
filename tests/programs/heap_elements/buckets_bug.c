/* A hash table whose size is a member: the chain of an unknown bucket.
   expect: unsafe
   options: --function find
   native: none (a function that is run alone) */
#include <stddef.h>

struct node {
    unsigned key;
    int *value;
    struct node *next;
};
struct table {
    struct node **buckets;
    unsigned count;
};

int find(struct table *table, unsigned key)
{
    if (!table || !table->buckets || table->count < 1 || table->count > 16)
        return 0;
    struct node *node = table->buckets[key % table->count];
    for (int depth = 0; node && depth < 2; depth++, node = node->next) {
        if (node->key == key)
            return *node->value; /* BUG: null-dereference */
    }
    return 0;
}
