/* expect: safe
   paths: 1
   native: clang */
#include <assert.h>

int main(void) {
  volatile _Float16 h = 1.0f16, third = (_Float16)(1.0f / 3.0f);
  assert((float)(h + third) == 1.33300781f);
  assert((double)third == 0.333251953125);
  volatile float big = 65520.0f;
  assert((float)(_Float16)big > 65504.0f && (float)(_Float16)2049.0f == 2048.0f);
  return 0;
}
