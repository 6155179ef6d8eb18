/* Three threads meet at one lock. What each does at a place of its own makes no difference to the others. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int own[3], last;

static void *run(void *place) {
  *(int *)place = 1;
  pthread_mutex_lock(&mutex);
  last = (int)((int *)place - own);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, &own[1]);
  pthread_create(&two, 0, run, &own[2]);
  run(&own[0]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return last;
}
