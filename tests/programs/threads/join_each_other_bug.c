/* Each waits for the end of the other.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_t first;

static void *run(void *unused) {
  pthread_join(first, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  first = pthread_self();
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0); /* BUG: deadlock */
  return 0;
}
