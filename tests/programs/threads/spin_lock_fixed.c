/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *run(void *unused) {
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
