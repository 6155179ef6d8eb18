/* Neighbouring bytes are no race.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static char cells[2];

static void *first(void *unused) {
  cells[0] = 1;
  return unused;
}

static void *second(void *unused) {
  cells[1] = 2;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(cells[0] + cells[1] == 3);
  return 0;
}
