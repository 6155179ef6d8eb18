/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static int runs;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void run(void) { runs++; }

int main(void) {
  pthread_once(&once, run);
  pthread_once(&once, run);
  assert(runs == 1);
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  assert(sem_wait(&semaphore) == 0 && sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  pthread_mutexattr_t attributes;
  pthread_mutex_t mutex;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  assert(pthread_mutex_lock(&mutex) == 0 && pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  assert(pthread_sigmask(SIG_BLOCK, &signals, 0) == 0);
  return 0;
}
