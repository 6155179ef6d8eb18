/* expect: safe
   native: asan */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *run(void *unused) {
  struct timespec until = {0, 0};
  int status = pthread_mutex_timedlock(&lock, &until);
  if (status) {
    assert(status == ETIMEDOUT);
    return unused;
  }
  counter++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 1 || counter == 2);
  return 0;
}
