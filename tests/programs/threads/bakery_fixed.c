/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2], tickets[2], inside;

static void critical(void) {
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
}

static void *first(void *unused) {
  choosing[0] = 1;
  tickets[0] = tickets[1] + 1;
  choosing[0] = 0;
  while (choosing[1]) {
  }
  while (tickets[1] && tickets[1] < tickets[0]) {
  }
  critical();
  tickets[0] = 0;
  return unused;
}

static void *second(void *unused) {
  choosing[1] = 1;
  tickets[1] = tickets[0] + 1;
  choosing[1] = 0;
  while (choosing[0]) {
  }
  while (tickets[0] && tickets[0] <= tickets[1]) {
  }
  critical();
  tickets[1] = 0;
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
