/* expect: safe
   native: asan */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec until = {0, 0};
  pthread_create(&thread, 0, run, 0);
  pthread_mutex_lock(&lock);
  if (!ready) {
    int status = pthread_cond_timedwait(&changed, &lock, &until);
    assert(status == 0 || status == ETIMEDOUT);
  }
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  assert(ready);
  return 0;
}
