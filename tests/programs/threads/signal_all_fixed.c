/* expect: safe
   native: asan */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  while (!open) {
    pthread_cond_wait(&opened, &lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_mutex_lock(&lock);
  open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&lock);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
