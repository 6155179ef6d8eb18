/* Threads go on after pthread_exit of the first one.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int main_is_gone;

static void *run(void *unused) {
  assert(!main_is_gone); /* BUG: assert */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  main_is_gone = 1;
  pthread_exit(0);
}
