/* A table that leads to smaller places only: every search ends.
   expect: safe */
#include "unfork.h"

static unsigned char parent[3];

static int root(int i) {
  if (parent[i] == i)
    return i;
  for (int k = 0; k < 3; k++)
    if (parent[i] == k)
      return root(k);
  return -1;
}

int main(void) {
  unfork_symbolic(parent, sizeof parent, "parent");
  for (int i = 0; i < 3; i++)
    unfork_assume(parent[i] <= i);
  return (root(1) + root(2)) & 0;
}
