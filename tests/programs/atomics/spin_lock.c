/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int shared;

static void enter(void) {
  while (atomic_flag_test_and_set(&lock)) {
  }
}
static void leave(void) { atomic_flag_clear(&lock); }

int main(void) {
  for (int i = 0; i < 4; i++) {
    enter();
    shared += i;
    leave();
  }
  atomic_thread_fence(memory_order_seq_cst);
  assert(shared == 6);
  return 0;
}
