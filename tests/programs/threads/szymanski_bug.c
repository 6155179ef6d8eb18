/* The second does not wait for the first to leave.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2], inside;

static void critical(void) {
  assert(atomic_fetch_add(&inside, 1) == 0); /* BUG: assert */
  atomic_fetch_sub(&inside, 1);
}

static void *first(void *unused) {
  flags[0] = 1;
  while (flags[1] >= 3) {
  }
  flags[0] = 3;
  if (flags[1] == 1) {
    flags[0] = 2;
    while (flags[1] != 4) {
    }
  }
  flags[0] = 4;
  critical();
  while (flags[1] == 2 || flags[1] == 3) {
  }
  flags[0] = 0;
  return unused;
}

static void *second(void *unused) {
  flags[1] = 1;
  while (flags[0] >= 3) {
  }
  flags[1] = 3;
  if (flags[0] == 1) {
    flags[1] = 2;
    while (flags[0] != 4) {
    }
  }
  flags[1] = 4;
  critical();
  flags[1] = 0;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
