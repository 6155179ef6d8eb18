/* A comparison gives 0 or -1 in each lane.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

static v4 maximum(v4 a, v4 b) {
  v4 mask = a > b;
  return (a & mask) | (b & ~mask);
}

int main(void) {
  volatile int one = 1;
  v4 a = {one, 7, -3, 0}, b = {5, 2, -4, 0};
  v4 m = maximum(a, b);
  assert(m[0] == 5 && m[1] == 7 && m[2] == -3 && m[3] == 0);
  assert((a == b)[3] == -1 && (a == b)[0] == 0);
  return 0;
}
