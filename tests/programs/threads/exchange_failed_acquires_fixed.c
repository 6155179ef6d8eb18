/* A compare-exchange that fails acquires what the value's writer released.
   expect: safe
   native: none (it has nothing to find) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *run(void *unused) {
  data = 1;
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int expected = 0, seen = 0;
  if (!atomic_compare_exchange_strong(&ready, &expected, 2))
    seen = data;
  pthread_join(one, 0);
  return seen == 9;
}
