/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static void *run(void *unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_detach(thread);
  pthread_join(thread, 0); /* BUG: lock-misuse */
  return 0;
}
