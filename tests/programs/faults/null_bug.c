/* expect: unsafe
   native: asan
   input: x=0 */
#include "unfork.h"

struct node { int padding[3]; int value; };
static struct node only = {{0}, 4};
static struct node *find(int key) { return key ? &only : 0; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return find(x)->value == 5; /* BUG: null-dereference */
}
