/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int trace(int n, int m[n][n]) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += m[i][i];
  return sum;
}

int main(void) {
  volatile int three = 3;
  int n = three;
  int m[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = 10 * i + j;
  assert(sizeof m == 36);
  assert(trace(n, m) == 33);
  return 0;
}
