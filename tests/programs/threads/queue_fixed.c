/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int cells[1], count;

static void put(int item) {
  pthread_mutex_lock(&lock);
  while (count == 1) {
    pthread_cond_wait(&changed, &lock);
  }
  cells[count++] = item;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static int take(void) {
  pthread_mutex_lock(&lock);
  while (count == 0) {
    pthread_cond_wait(&changed, &lock);
  }
  int item = cells[--count];
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return item;
}

static void *produce(void *unused) {
  put(1);
  put(2);
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  int first = take();
  int second = take();
  assert(first == 1 && second == 2);
  pthread_join(producer, 0);
  return 0;
}
