/* A detached thread may outlive main: it ends with the program.
   expect: safe
   native: asan */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *run(void *unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_detach(thread);
  return done > 1;
}
