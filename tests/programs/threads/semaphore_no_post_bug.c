/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <semaphore.h>

static sem_t places;

static void *run(void *unused) {
  sem_wait(&places);
  return unused;
}

int main(void) {
  pthread_t one, two;
  sem_init(&places, 0, 1);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0); /* BUG: deadlock */
  return 0;
}
