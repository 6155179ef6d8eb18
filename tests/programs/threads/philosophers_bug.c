/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *eat(void *place) {
  long left = (long)place, right = (left + 1) % 3;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}

int main(void) {
  pthread_t philosophers[3];
  for (long i = 0; i < 3; i++) {
    pthread_create(&philosophers[i], 0, eat, (void *)i);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(philosophers[i], 0); /* BUG: deadlock */
  }
  return 0;
}
