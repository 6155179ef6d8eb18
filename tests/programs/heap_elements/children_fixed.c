/* The children of a node in an array of two, by a comparison.
   expect: safe
   options: --function insert
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct node {
    int key;
    struct node *child[2];
};

void insert(struct node *node, struct node *leaf)
{
    if (!node || !leaf || node == leaf)
        return;
    int side = leaf->key > node->key;
    struct node *other = node->child[!side];
    node->child[side] = leaf;
    assert(node->child[!side] == other);
    assert(node->child[0] == (leaf->key > node->key ? other : leaf));
    node->child[1] = NULL;
    assert(node->child[side] == (side ? NULL : leaf));
}
