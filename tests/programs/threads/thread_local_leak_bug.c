/* What only a thread's own variable leads to is lost when the thread ends; main's variable keeps its own.
   expect: unsafe
   options: --check leak
   native: none (the stack that the system keeps may lead to it) */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static _Thread_local int *own;

static void *run(void *is_kept) {
  own = malloc(sizeof *own); /* BUG: leak */
  assert(own);
  if (is_kept) free(own);
  return 0;
}

int main(void) {
  pthread_t thread;
  own = malloc(sizeof *own);
  pthread_create(&thread, 0, run, own);
  pthread_join(thread, 0);
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return 0;
}
