/* expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_once_t flag = PTHREAD_ONCE_INIT;
static int table;

static void fill(void) { table += 3; }

static void *run(void *unused) {
  pthread_once(&flag, fill);
  assert(table == 3);
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
