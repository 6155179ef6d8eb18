/* An atomic flag publishes what is not atomic.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *write(void *unused) {
  data = 7;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, 0, write, 0);
  if (ready) {
    assert(data == 7);
  }
  pthread_join(writer, 0);
  return 0;
}
