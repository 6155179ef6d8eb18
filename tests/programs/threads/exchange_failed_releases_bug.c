/* A compare-exchange that fails releases nothing: who reads the value afterwards does not know what came before.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = 3;
static int data;

static void *run(void *unused) {
  int expected = 7;
  data = 1; /* BUG: data-race */
  atomic_compare_exchange_strong(&value, &expected, 5);
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int seen = value == 3 ? data : 0; /* BUG: data-race */
  pthread_join(one, 0);
  return seen == 9;
}
