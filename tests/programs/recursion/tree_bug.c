/* The way down a tree of nodes on the heap: a key that no node has leads to a leaf's missing child.
   expect: unsafe
   input: key=0 */
#include <stdlib.h>
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

struct node {
  unsigned key;
  struct node *left, *right;
};

static struct node *build(unsigned low, unsigned high) {
  if (low > high) return 0;
  struct node *node = malloc(sizeof *node);
  node->key = low + (high - low) / 2;
  node->left = build(low, node->key - 1);
  node->right = build(node->key + 1, high);
  return node;
}

static unsigned find(struct node *node, unsigned key) {
  if (node->key == key) return key; /* BUG: null-dereference */
  if (key < node->key) return find(node->left, key);
  return find(node->right, key);
}

int main(void) {
  unsigned key;
  unfork_symbolic(&key, sizeof key, "key");
  unfork_assume(key <= 7);
  return find(build(1, 7), key) != key;
}
