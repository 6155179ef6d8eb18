/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

typedef int (*order)(int, int);
static int ascending(int a, int b) { return a <= b; }
static int descending(int a, int b) { return a >= b; }

static void sort(int *v, int n, order before) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && !before(v[j - 1], v[j]); j--) {
      int t = v[j];
      v[j] = v[j - 1];
      v[j - 1] = t;
    }
}

int main(void) {
  int v[] = {3, 1, 4, 1, 5}, up;
  unfork_symbolic(&up, sizeof up, "up");
  sort(v, 5, up ? ascending : descending);
  assert(v[0] == (up ? 1 : 5) && v[4] == (up ? 5 : 1));
  return 0;
}
