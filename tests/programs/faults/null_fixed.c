/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

struct node { int padding[3]; int value; };
static struct node only = {{0}, 4};
static struct node *find(int key) { return key ? &only : 0; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  struct node *n = find(x);
  return n && n->value == 5;
}
