/* A semaphore of two lets both in.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <semaphore.h>

static sem_t places;
static int counter;

static void *run(void *unused) {
  sem_wait(&places);
  counter++; /* BUG: data-race */
  sem_post(&places);
  return unused;
}

int main(void) {
  pthread_t one, two;
  sem_init(&places, 0, 2);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
