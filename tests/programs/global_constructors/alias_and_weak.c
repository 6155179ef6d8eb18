/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int real(int x) { return x + 1; }
int other(int x) __attribute__((alias("real")));
__attribute__((weak)) int missing(int x);
__attribute__((weak)) int present(int x) { return x * 2; }

int main(void) {
  assert(other(1) == 2 && present(4) == 8);
  assert(!missing);
  return 0;
}
