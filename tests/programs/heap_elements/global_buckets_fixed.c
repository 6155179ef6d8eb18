/* A variable that is a struct with an array, and one that is an array: elements at unknown places and at known ones.
   expect: safe
   options: --function put --globals symbolic
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct node {
    unsigned key;
    struct node *next;
};
static struct node *table[32];
static struct {
    unsigned count;
    struct node *roots[16];
} all;

void put(struct node *node, unsigned other)
{
    if (!node)
        return;
    struct node *root = all.roots[other % 16];
    node->next = table[node->key % 32];
    table[node->key % 32] = node;
    assert(table[node->key % 32]->next == node->next);
    assert(table[other % 32] == node || (other - node->key) % 32 != 0);
    table[5] = NULL;
    assert(table[node->key % 32] == (node->key % 32 == 5 ? NULL : node));
    all.roots[3] = node;
    assert(all.roots[other % 16] == (other % 16 == 3 ? node : root));
}
