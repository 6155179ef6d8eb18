/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage;
static int *_Atomic instance;

static int *get(void) {
  int *known = instance;
  if (!known) {
    pthread_mutex_lock(&lock);
    known = instance;
    if (!known) {
      storage = 5;
      known = &storage;
      instance = known;
    }
    pthread_mutex_unlock(&lock);
  }
  return known;
}

static void *run(void *unused) {
  assert(*get() == 5);
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
