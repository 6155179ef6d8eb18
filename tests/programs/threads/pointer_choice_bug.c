/* A pointer leads to what another thread writes, for some inputs only.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <unfork.h>

static int x, y;

static void *write_x(void *unused) {
  x = 1; /* BUG: data-race */
  return unused;
}

int main(void) {
  pthread_t thread;
  unsigned char which;
  unfork_symbolic(&which, 1, "which");
  int *target = which > 7 ? &x : &y;
  pthread_create(&thread, 0, write_x, 0);
  *target = 2; /* BUG: data-race */
  pthread_join(thread, 0);
  return 0;
}
