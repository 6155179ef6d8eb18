/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static int result;

static void *run(void *unused) {
  result = 5; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  int seen = result; /* BUG: data-race */
  pthread_join(thread, 0);
  return seen > 5;
}
