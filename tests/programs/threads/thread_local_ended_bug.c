/* A thread's own variable ends with the thread.
   expect: unsafe
   native: none (the system keeps the memory of a thread that has ended) */
#include <pthread.h>
#include "unfork.h"

static _Thread_local int own[4] = {3};
static int *shown;

static void *run(void *unused) {
  shown = &own[1];
  *shown = 1;
  return unused;
}

int main(void) {
  int joins;
  unfork_symbolic(&joins, sizeof joins, "joins");
  own[1] = 7;
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  if (joins == 5) {
    pthread_join(thread, 0);
    *shown = 5; /* BUG: use-after-free */
  } else {
    pthread_join(thread, 0);
    shown = &own[1];
    return *shown - 7;
  }
  return 0;
}
