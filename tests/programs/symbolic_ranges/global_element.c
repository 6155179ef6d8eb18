/* expect: unsafe
   native: asan
   input: cell=5 */
#include <assert.h>
#include "unfork.h"

static struct { int key; int data[3]; } table[2] = {{1, {10, 11, 12}}, {2, {20, 21, 22}}};

int main(void) {
  unfork_symbolic(&table[1].data[1], sizeof(int), "cell");
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += table[1].data[i];
  assert(table[0].data[1] == 11 && table[1].key == 2);
  assert(sum != 47); /* BUG: assert */
  return 0;
}
