/* One unlock is missing: whoever comes second waits for ever.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);

  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0); /* BUG: deadlock */
  assert(counter == 2);
  return 0;
}
