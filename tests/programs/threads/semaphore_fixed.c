/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int item;

static void *run(void *unused) {
  item = 9;
  sem_post(&filled);
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&filled, 0, 0);
  pthread_create(&thread, 0, run, 0);
  sem_wait(&filled);
  assert(item == 9);
  pthread_join(thread, 0);
  return 0;
}
