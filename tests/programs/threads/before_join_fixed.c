/* What comes before the creation, or after the join, is ordered.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static int result;

static void *run(void *unused) {
  result = 5;
  return unused;
}

int main(void) {
  pthread_t thread;
  result = 3;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  assert(result == 5);
  return 0;
}
