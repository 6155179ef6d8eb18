/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

typedef int v4 __attribute__((vector_size(16)));

int main(void) {
  volatile int base = 10;
  v4 a = {1, 2, 3, 4}, b = {base, base, base, base};
  v4 c = a * b + a;
  for (int i = 0; i < 4; i++) assert(c[i] == (i + 1) * 11);
  v4 d = c - b;
  assert(d[0] == 1 && d[3] == 34);
  v4 e = (a << 2) ^ (b & 3);
  assert(e[0] == (4 ^ 2) && e[2] == (12 ^ 2));
  assert((-a)[1] == -2 && (~a)[0] == -2);
  return 0;
}
