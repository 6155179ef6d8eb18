/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int values[2];

static void *run(void *own) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, own);
  int *value = pthread_getspecific(key);
  *value = 1;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_key_create(&key, 0);
  pthread_create(&one, 0, run, &values[0]);
  pthread_create(&two, 0, run, &values[1]);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(values[0] == 1 && values[1] == 1);
  return 0;
}
