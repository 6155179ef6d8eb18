/* The program ends with its last thread, with status 0.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int main_is_gone;

static void *run(void *unused) {
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  main_is_gone = 1;
  pthread_exit(0);
  assert(0);
}
