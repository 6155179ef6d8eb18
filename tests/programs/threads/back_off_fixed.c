/* Who does not get the second lock gives back the first: turns that undo what they do may go on for ever, and need not.
   expect: safe */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  for (;;) {
    pthread_mutex_lock(first);
    if (!pthread_mutex_trylock(second)) return;
    pthread_mutex_unlock(first);
    sched_yield();
  }
}

static void release(void) {
  counter++;
  pthread_mutex_unlock(&left);
  pthread_mutex_unlock(&right);
}

static void *forth(void *unused) {
  both(&left, &right);
  release();
  return unused;
}

static void *back(void *unused) {
  both(&right, &left);
  release();
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, forth, 0);
  pthread_create(&two, 0, back, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(counter == 2);
  return 0;
}
