/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static int counter;

static void *run(void *unused) {
  counter++; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
