/* Another thread may have a pointer to a thread's own variable.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static _Thread_local int own;

static void *run(void *of_main) {
  *(int *)of_main = 1; /* BUG: data-race */
  own = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, &own);
  own = 3; /* BUG: data-race */
  pthread_join(thread, 0);
  return 0;
}
