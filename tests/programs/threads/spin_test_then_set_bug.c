/* Between the test and the set the other thread may take the lock as well.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *run(void *unused) {
  while (atomic_load(&lock))
    ;
  atomic_store(&lock, 1);
  counter++; /* BUG: data-race */
  atomic_store(&lock, 0);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter;
}
