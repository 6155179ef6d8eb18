/* A wait may end for no reason, or another may come first.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  if (!items) {
    pthread_cond_wait(&filled, &lock);
  }
  assert(items > 0); /* BUG: assert */
  items--;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
