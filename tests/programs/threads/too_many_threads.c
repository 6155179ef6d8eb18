/* More threads than asked for.
   expect: bounded
   options: --max-threads 2
   native: asan */
#include <pthread.h>

static void *run(void *unused) {
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&threads[i], 0, run, 0);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(threads[i], 0);
  }
  return 0;
}
