/* The first thread waits for a semaphore before there is another to post it.
   expect: unsafe
   native: none (it waits for ever) */
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;

static void *run(void *unused) {
  sem_post(&ready);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  sem_wait(&ready); /* BUG: deadlock */
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
