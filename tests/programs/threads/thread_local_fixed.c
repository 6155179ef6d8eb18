/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static _Thread_local int own = 4;

static void *run(void *unused) {
  assert(own == 4);
  own++;
  assert(own == 5);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(own == 4);
  return 0;
}
