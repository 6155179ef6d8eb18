/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t both;
static int left, right;

static void *first(void *unused) {
  left = 1;
  pthread_barrier_wait(&both);
  assert(right == 2);
  return unused;
}

static void *second(void *unused) {
  right = 2;
  pthread_barrier_wait(&both);
  assert(left == 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
