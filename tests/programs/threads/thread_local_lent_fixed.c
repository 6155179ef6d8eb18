/* Other threads may use a thread's own variables while it lives.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

struct pair {
  int a, b[3];
};

static __thread struct pair both = {1, {2, 3, 4}};
static __thread int numbers[4];
static _Thread_local int *inner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *shown, is_taken;

static int count_by_one(void) {
  static __thread int count = 10;
  return ++count;
}

static int count_by_two(void) {
  static __thread int count = 20;
  return count += 2;
}

static void *run(void *of_main) {
  assert(both.a == 1 && both.b[2] == 4 && inner == 0 && numbers[3] == 0);
  assert(count_by_one() == 11 && count_by_two() == 22 && count_by_one() == 12);
  inner = &both.b[1];
  *inner = 9;
  assert(both.b[1] == 9);
  numbers[3] = 5;
  pthread_mutex_lock(&lock);
  shown = &numbers[3];
  *(int *)of_main += 1;
  pthread_cond_signal(&changed);
  while (!is_taken) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(numbers[3] == 6);
  return 0;
}

int main(void) {
  pthread_t thread;
  both.b[1] = 70;
  count_by_one();
  pthread_create(&thread, 0, run, &both.b[0]);
  pthread_mutex_lock(&lock);
  while (!shown) pthread_cond_wait(&changed, &lock);
  ++*shown;
  is_taken = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  assert(both.b[0] == 3 && both.b[1] == 70 && inner == 0 && numbers[3] == 0 && count_by_one() == 12);
  return 0;
}
