/* Nobody unlocks.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *unused) {
  pthread_spin_lock(&lock);
  counter++;

  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0); /* BUG: deadlock */
  assert(counter == 2);
  return 0;
}
