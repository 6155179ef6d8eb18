/* Only a tree that contains itself runs out of stack.
   scan: conditional stack-overflow 8 */
struct tree { struct tree *left, *right; };

int leaves(const struct tree *t) {
  if (t == 0) return 0;
  if (t->left == 0 && t->right == 0) return 1;
  return (leaves(t->left) + leaves(t->right)) % 1000;
}
