/* A compare-exchange that fails only loads: two reads are no race.
   expect: safe
   native: none (it has nothing to find) */
#include <pthread.h>

static int value = 3;

static void *run(void *unused) {
  int expected = 7;
  __atomic_compare_exchange_n(&value, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  __sync_bool_compare_and_swap(&value, 8, 9);
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int seen = value;
  pthread_join(one, 0);
  return seen == 9;
}
