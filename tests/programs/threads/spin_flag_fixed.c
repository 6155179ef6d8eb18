/* Nor does an exchange of what is there already.
   expect: safe */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static int counter;

static void *run(void *unused) {
  while (atomic_flag_test_and_set(&lock)) sched_yield();
  counter++;
  atomic_flag_clear(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  assert(counter == 3);
  return 0;
}
