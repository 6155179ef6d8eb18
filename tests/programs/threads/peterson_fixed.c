/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2], turn, inside;

static void critical(void) {
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
}

static void *first(void *unused) {
  flags[0] = 1;
  turn = 1;
  while (flags[1] && turn == 1) {
  }
  critical();
  flags[0] = 0;
  return unused;
}

static void *second(void *unused) {
  flags[1] = 1;
  turn = 0;
  while (flags[0] && turn == 0) {
  }
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
