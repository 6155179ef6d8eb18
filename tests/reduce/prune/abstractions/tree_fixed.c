/* A search tree with pointers to parents that grows without end: what hangs below a node is folded.
   expect: bounded
   options: --abstract tree:1
   native: none (it never ends) */
#include "unfork.h"
#include <stdlib.h>

struct node {
  struct node *left, *right, *parent;
  int key;
};
static struct node *root;

static void insert(int key) {
  struct node **at = &root, *above = 0;
  while (*at) {
    above = *at;
    if (key == above->key)
      return;
    at = key < above->key ? &above->left : &above->right;
  }
  struct node *one = malloc(sizeof *one);
  one->left = one->right = 0;
  one->key = key;
  one->parent = above;
  *at = one;
}

int main(void) {
  for (;;) {
    unsigned char what;
    unfork_symbolic(&what, 1, "what");
    if (what == 0)
      return 0;
    int key;
    unfork_symbolic(&key, sizeof key, "key");
    insert(key);
    struct node *left = root->left;
    unfork_check(!left || (left->key < root->key && left->parent == root));
    unfork_check(!left || !left->right || left->right->key > left->key);
  }
}
