/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile float a = 0.1f, b = 0.2f;
  assert(a + b == 0.3f && (double)a != 0.1);
  volatile float s = 0;
  for (int i = 0; i < 10; i++) s += a;
  assert(s == 1.00000012f);
  volatile float big = 16777216.0f;
  assert(big + 1.0f == big && big + 2.0f == 16777218.0f);
  assert(a * b == 0.020000001f && (float)(1.0 / 3.0) == 1.0f / 3.0f);
  return 0;
}
