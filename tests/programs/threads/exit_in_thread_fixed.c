/* exit ends all threads: nothing comes after the join.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *run(void *unused) {
  exit(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(0);
  return 0;
}
