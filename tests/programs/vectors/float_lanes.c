/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));

int main(void) {
  volatile float half = 0.5f;
  f4 a = {1, 2, 3, 4}, b = a * half + 1.0f;
  assert(b[0] == 1.5f && b[3] == 3.0f);
  d2 d = {1.0, -2.0};
  d = d / 4.0;
  assert(d[0] == 0.25 && d[1] == -0.5);
  assert((a < b)[0] == -1 && (a < b)[3] == 0);
  return 0;
}
