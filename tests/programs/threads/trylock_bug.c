/* Nobody asks whether the lock was taken.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *run(void *unused) {
  pthread_mutex_trylock(&lock);
  counter++; /* BUG: data-race */
  pthread_mutex_unlock(&lock); /* BUG: lock-misuse */
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
