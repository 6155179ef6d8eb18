/* Two that read do not race.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static int shared = 4;

static void *run(void *unused) {
  assert(shared == 4);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
