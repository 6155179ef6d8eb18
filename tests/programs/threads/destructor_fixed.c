/* What a thread has of its own is destroyed before whoever joins it goes on, however it ends.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t heap, count, none;
static int destroyed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void add(void *step) {
  assert(pthread_getspecific(count) == 0);
  pthread_mutex_lock(&mutex);
  destroyed += *(int *)step;
  pthread_mutex_unlock(&mutex);
}

static void *run(void *step) {
  pthread_setspecific(heap, malloc(4));
  pthread_setspecific(count, step);
  pthread_setspecific(none, step);
  if (*(int *)step == 2) pthread_exit(0);
  return 0;
}

int main(void) {
  pthread_t one, two;
  int steps[] = {1, 2};
  pthread_key_create(&heap, free);
  pthread_key_create(&count, add);
  pthread_key_create(&none, 0);
  pthread_create(&one, 0, run, &steps[0]);
  pthread_create(&two, 0, run, &steps[1]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(destroyed == 3);
  return 0;
}
