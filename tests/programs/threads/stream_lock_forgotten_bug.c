/* A thread ends with a stream locked, which the other needs, if only at the end.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdio.h>

static void *forget(void *unused) {
  flockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, forget, 0);
  puts("x"); /* BUG: deadlock */
  pthread_join(one, 0);
  return 0; /* BUG: deadlock */
}
