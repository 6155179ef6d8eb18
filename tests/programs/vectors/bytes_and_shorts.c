/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

typedef unsigned char v8 __attribute__((vector_size(8)));
typedef short w4 __attribute__((vector_size(8)));

int main(void) {
  volatile unsigned char x = 200;
  v8 a = {x, 1, 2, 3, 4, 5, 6, 7}, b = a + 100;
  assert(b[0] == 44 && b[7] == 107);
  w4 s = {-1, 256, 3, 4};
  v8 raw = (v8)s;
  assert(raw[0] == 255 && raw[1] == 255 && raw[2] == 0 && raw[3] == 1);
  return 0;
}
