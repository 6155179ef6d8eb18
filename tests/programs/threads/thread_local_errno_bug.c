/* errno is a thread's own.
   expect: unsafe
   native: none (the system keeps the memory of a thread that has ended) */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int *shown;

static void *run(void *unused) {
  assert(errno == 0);
  errno = ERANGE;
  shown = &errno;
  return unused;
}

int main(void) {
  pthread_t thread;
  errno = EINVAL;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(errno == EINVAL);
  return *shown; /* BUG: use-after-free */
}
