/* expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int filled, fills;

static void *run(void *unused) {
  if (!filled) {
    atomic_fetch_add(&fills, 1);
    filled = 1;
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(fills == 1); /* BUG: assert */
  return 0;
}
