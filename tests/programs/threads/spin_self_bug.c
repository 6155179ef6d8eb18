/* A spin lock that its own thread takes twice.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void take(void) {
  while (atomic_exchange(&lock, 1))
    ;
}

static void *run(void *unused) {
  take();
  take();
  lock = 0;
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  pthread_join(one, 0); /* BUG: deadlock */
  return 0;
}
