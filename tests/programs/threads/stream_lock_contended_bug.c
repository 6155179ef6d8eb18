/* What the other thread prints comes after what this one has locked the stream for.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int is_locked;

static void *run(void *unused) {
  flockfile(stdout);
  is_locked = 1;
  is_locked = 2;
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int before = is_locked;
  puts("x");
  assert(before != 1 || is_locked != 2); /* BUG: assert */
  pthread_join(one, 0);
  return 0;
}
