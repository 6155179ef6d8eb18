/* Times have 64 bits in musl's headers, which give the functions that take them other names.
   expect: safe
   options: --data-model ILP32
   native: none */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec until = {1, 999999999}, before, after;
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  mtx_t other;
  sem_t permits;
  assert(!pthread_mutex_lock(&lock) && pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT);
  assert(mtx_init(&other, mtx_timed) == thrd_success && mtx_timedlock(&other, &until) == thrd_success);
  assert(!sem_init(&permits, 0, 0) && sem_timedwait(&permits, &until) == -1 && errno == ETIMEDOUT);
  assert(!clock_gettime(CLOCK_MONOTONIC, &before));
  assert(!nanosleep(&until, 0) && !usleep(3) && !sleep(1));
  assert(!clock_gettime(CLOCK_MONOTONIC, &after));
  assert(after.tv_sec - before.tv_sec >= 2 && after.tv_nsec >= 0 && after.tv_nsec < 1000000000);
  return 0;
}
