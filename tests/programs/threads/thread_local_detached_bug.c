/* Nothing makes the thread wait until its variable has been written.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <semaphore.h>

static __thread int own = 3;
static sem_t ready;
static int *shown;

static void *run(void *unused) {
  shown = &own;
  sem_post(&ready);
  pthread_exit(unused);
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, run, 0);
  pthread_detach(thread);
  sem_wait(&ready);
  *shown = 5; /* BUG: use-after-free */
  return 0;
}
