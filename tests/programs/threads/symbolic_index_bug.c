/* Whether there is a race depends on an input.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include "unfork.h"

static int cells[4];
static unsigned index;

static void *first(void *unused) {
  cells[index & 3] = 1; /* BUG: data-race */
  return unused;
}

static void *second(void *unused) {
  cells[2] = 2; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t one, two;
  unfork_symbolic(&index, sizeof index, "index");
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
