/* Two streams, locked in both orders.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdio.h>

static void *first(void *unused) {
  flockfile(stdout);
  fputs("x", stderr);
  funlockfile(stdout);
  return unused;
}

static void *second(void *unused) {
  flockfile(stderr);
  fputs("y", stdout);
  funlockfile(stderr);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0);
  return 0;
}
