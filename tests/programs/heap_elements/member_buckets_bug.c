/* A hash table with a member array: the chain of an unknown bucket.
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
    unsigned count;
    struct node *buckets[64];
    struct node *last;
};

int find(struct table *table, unsigned key)
{
    if (!table)
        return 0;
    struct node *node = table->buckets[key % 64];
    for (int depth = 0; node && depth < 2; depth++, node = node->next) {
        if (node->key == key)
            return *node->value; /* BUG: null-dereference */
    }
    return 0;
}
