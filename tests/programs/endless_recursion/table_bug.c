/* Where a table leads round, the search for a root never ends; each call has a place for a result that it leaves
   unwritten.
   expect: unsafe
   native: asan
   input: parent=hex:010002 */
#include "unfork.h"

static unsigned char parent[3];

static int root(int i) {
  if (parent[i] == i)
    return i;
  for (int k = 0; k < 3; k++)
    if (parent[i] == k)
      return root(k); /* BUG: stack-overflow */
  return -1;
}

int main(void) {
  unfork_symbolic(parent, sizeof parent, "parent");
  for (int i = 0; i < 3; i++)
    unfork_assume(parent[i] < 3);
  return (root(0) + root(1)) & 0;
}
