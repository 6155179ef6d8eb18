/* expect: safe
   paths: 1
   options: --cflags "-O3"
   native: asan */
#include <assert.h>

static int a[6][6], b[6][6], c[6][6];

int main(void) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      a[i][j] = i + j;
      b[i][j] = i == j;
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 6; k++) c[i][j] += a[i][k] * b[k][j];
  volatile int two = 2;
  assert(c[two][two + 1] == 5 && c[5][5] == 10);
  return 0;
}
