/* expect: safe
   paths: 1
   native: clang */
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  volatile int one = 1;
  v4 a = {one, 2, 3, 4}, b = {5, 6, 7, 8};
  v4 reversed = __builtin_shufflevector(a, a, 3, 2, 1, 0);
  assert(reversed[0] == 4 && reversed[3] == 1);
  v4 mixed = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  assert(mixed[1] == 5 && mixed[2] == 2 && mixed[3] == 6);
  return 0;
}
