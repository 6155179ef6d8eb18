/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static void *run(void *unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &kind);
  pthread_create(&thread, 0, run, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock); /* BUG: lock-misuse */
  pthread_join(thread, 0);
  return 0;
}
