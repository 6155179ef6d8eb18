/* A compare-exchange that fails changes nothing: the loop waits until somebody else writes.
   expect: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *run(void *unused) {
  int expected = 0;
  while (!atomic_compare_exchange_weak(&lock, &expected, 1)) expected = 0;
  counter++;
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
