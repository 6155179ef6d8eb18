/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int depth_sum(int depth, const int *outer) {
  int mine[2] = {depth, outer ? outer[0] : 0};
  if (depth == 0) return mine[1];
  int below = depth_sum(depth - 1, mine);
  assert(mine[0] == depth);
  return below + mine[1];
}

int main(void) {
  assert(depth_sum(4, 0) == 1 + 2 + 3 + 4);
  return 0;
}
