/* Two spin locks, taken in opposite orders.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void take(atomic_int *lock) {
  int expected = 0;
  while (!atomic_compare_exchange_strong(lock, &expected, 1)) expected = 0;
}

static void *forth(void *unused) {
  take(&left);
  take(&right);
  right = 0;
  left = 0;
  return unused;
}

static void *back(void *unused) {
  take(&right);
  take(&left);
  left = 0;
  right = 0;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, forth, 0);
  pthread_create(&two, 0, back, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  pthread_join(two, 0);
  return 0;
}
