/* Two threads wait for a condition and add to a counter. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int counter;

static void *run(void *amount) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&changed, &mutex);
  counter += *(int *)amount;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  int amounts[] = {1, 2};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, &amounts[i]);
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_broadcast(&changed);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 3);
}
