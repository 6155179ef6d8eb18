/* What the first thread does alone with locks and memory is no matter of the schedule.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;
static char name[8];

static void *run(void *unused) {
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  count++;
  snprintf(name, sizeof name, "%d", count);
  memcpy(name + 4, "abc", 4);
  pthread_mutex_unlock(&mutex);
  pthread_create(&thread, 0, run, 0);
  run(0);
  pthread_join(thread, 0);
  assert(count == 3 && name[0] == '1');
  return 0;
}
