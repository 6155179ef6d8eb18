/* The one that writes takes the lock as a reader.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *first(void *unused) {
  pthread_rwlock_rdlock(&lock);
  left++; /* BUG: data-race */
  right++; /* BUG: data-race */
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *second(void *unused) {
  pthread_rwlock_rdlock(&lock);
  int difference = left; /* BUG: data-race */
  difference -= right; /* BUG: data-race */
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
