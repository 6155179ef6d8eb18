/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>

int main(void) {
  volatile long double one = 1.0L;
  long double x = one;
  unsigned char raw[16] = {0};
  memcpy(raw, &x, 10);
  assert(sizeof x == 16 && raw[7] == 0x80 && raw[8] == 0xff && raw[9] == 0x3f && raw[0] == 0);
  raw[9] |= 0x80;
  memcpy(&x, raw, 10);
  assert(x == -1.0L);
  return 0;
}
