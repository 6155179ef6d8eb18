/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static void *run(void *number) {
  if ((long)number == 2) {
    pthread_exit((void *)20);
  }
  return (void *)10;
}

int main(void) {
  pthread_t one, two;
  void *first, *second;
  pthread_create(&one, 0, run, (void *)1);
  pthread_create(&two, 0, run, (void *)2);
  pthread_join(one, &first);
  pthread_join(two, &second);
  assert((long)first == 10 && (long)second == 20);
  return 0;
}
