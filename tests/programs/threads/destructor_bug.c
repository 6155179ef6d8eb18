/* Nothing orders the destructors of two threads.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void add(void *step) {
  destroyed += *(int *)step; /* BUG: data-race */
}

static void *run(void *step) {
  pthread_setspecific(key, step);
  return 0;
}

int main(void) {
  pthread_t one, two;
  int step = 1;
  pthread_key_create(&key, add);
  pthread_create(&one, 0, run, &step);
  pthread_create(&two, 0, run, &step);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
