/* The local is gone when the thread writes to it.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static void *run(void *of_start) {
  *(int *)of_start = 1; /* BUG: use-after-free */
  return 0;
}

static void start(void) {
  int local = 0;
  pthread_t thread;
  pthread_create(&thread, 0, run, &local);
  pthread_detach(thread);
}

int main(void) {
  start();
  return 0;
}
