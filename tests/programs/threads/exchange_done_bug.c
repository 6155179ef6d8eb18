/* A compare-exchange that finds what it expects writes.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static int value = 3;

static void *run(void *unused) {
  int expected = 3;
  __atomic_compare_exchange_n(&value, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int seen = value; /* BUG: data-race */
  pthread_join(one, 0);
  return seen == 9;
}
