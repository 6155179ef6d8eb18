/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdatomic.h>

int main(void) {
  atomic_int n = 10;
  assert(atomic_fetch_add(&n, 5) == 10 && atomic_load(&n) == 15);
  assert(atomic_fetch_sub(&n, 3) == 15 && n == 12);
  assert(atomic_fetch_or(&n, 3) == 12 && n == 15);
  assert(atomic_fetch_and(&n, 6) == 15 && n == 6);
  assert(atomic_fetch_xor(&n, 5) == 6 && n == 3);
  assert(atomic_exchange(&n, 100) == 3 && n == 100);
  return 0;
}
