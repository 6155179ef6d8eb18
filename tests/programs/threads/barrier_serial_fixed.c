/* Each time, exactly one is told that it is the serial one.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t both;
static atomic_int chosen;

static void *run(void *unused) {
  for (int turn = 0; turn < 2; turn++) {
    if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD) {
      atomic_fetch_add(&chosen, 1);
    }
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(chosen == 2);
  return 0;
}
