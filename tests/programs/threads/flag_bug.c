/* expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static int data, ready;

static void *write(void *unused) {
  data = 7;
  ready = 1; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, 0, write, 0);
  int seen = ready; /* BUG: data-race */
  pthread_join(writer, 0);
  return seen && data != 7;
}
