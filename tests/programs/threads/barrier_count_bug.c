/* The barrier waits for three, and there are two.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_barrier_t all;

static void *run(void *unused) {
  pthread_barrier_wait(&all);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&all, 0, 3);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0);
  return 0;
}
