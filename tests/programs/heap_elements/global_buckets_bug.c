/* A hash table in a variable: a node is put in front of an unknown bucket, whose place another one may have.
   expect: unsafe
   options: --function replace --globals symbolic
   native: none (a function that is run alone) */
#include <stddef.h>

struct node {
    unsigned key;
    struct node *next;
};
static struct node *table[64];

unsigned replace(struct node *node, unsigned other)
{
    if (!node || node->key == other || !table[other % 64])
        return 0;
    node->next = NULL;
    table[node->key % 64] = node->next;
    return table[other % 64]->key; /* BUG: null-dereference */
}
