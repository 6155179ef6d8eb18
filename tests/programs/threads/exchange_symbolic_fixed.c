/* No input is what it finds.
   expect: safe
   native: none (it has nothing to find) */
#include <pthread.h>
#include "unfork.h"

static int value = 3, wanted;

static void *run(void *unused) {
  __sync_val_compare_and_swap(&value, wanted, 5);
  return unused;
}

int main(void) {
  pthread_t one;
  unfork_symbolic(&wanted, sizeof wanted, "wanted");
  if (wanted <= 3)
    return 0;
  pthread_create(&one, 0, run, 0);
  int seen = value;
  pthread_join(one, 0);
  return seen == 9;
}
