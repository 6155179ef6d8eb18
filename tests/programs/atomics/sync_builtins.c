/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  volatile long n = 1;
  assert(__sync_fetch_and_add(&n, 4) == 1 && n == 5);
  assert(__sync_add_and_fetch(&n, 4) == 9);
  assert(__sync_fetch_and_nand(&n, 1) == 9 && n == ~1l);
  n = 3;
  assert(__sync_bool_compare_and_swap(&n, 3, 4) && n == 4);
  assert(!__sync_bool_compare_and_swap(&n, 3, 5) && n == 4);
  assert(__sync_val_compare_and_swap(&n, 4, 6) == 4 && n == 6);
  __sync_synchronize();
  assert(__sync_lock_test_and_set(&n, 8) == 6);
  __sync_lock_release(&n);
  assert(n == 0);
  return 0;
}
