/* Whether it finds what it expects depends on an input.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include "unfork.h"

static int value = 3, wanted;

static void *run(void *unused) {
  __sync_val_compare_and_swap(&value, wanted, 5); /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t one;
  unfork_symbolic(&wanted, sizeof wanted, "wanted");
  if (wanted < 2)
    return 0;
  pthread_create(&one, 0, run, 0);
  int seen = value; /* BUG: data-race */
  pthread_join(one, 0);
  return seen == 9;
}
