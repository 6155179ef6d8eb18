/* expect: safe
   native: asan */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *run(void *unused) {
  assert(pthread_join(pthread_self(), 0) == EDEADLK);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  assert(!pthread_equal(thread, pthread_self()));
  pthread_join(thread, 0);
  return 0;
}
