/* expect: unsafe
   native: asan
   input: x=3 */
#include "unfork.h"

struct Item { int value; };

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Item *item = new Item{x};
  if (x == 3) delete item;
  delete item; /* BUG: double-free */
  return 0;
}
