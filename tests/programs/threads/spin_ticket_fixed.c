/* expect: safe */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next, serving;
static int counter;

static void *run(void *unused) {
  int mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine) __builtin_ia32_pause();
  counter++;
  atomic_fetch_add(&serving, 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
