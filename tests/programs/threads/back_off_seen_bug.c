/* Who looks three times sees two turns of a loop that undoes what it does: a turn is no reason to leave out the next.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mine, theirs = 1;

static void *run(void *unused) {
  for (;;) {
    mine = 1;
    if (!theirs) return unused;
    mine = 0;
  }
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, run, 0);
  int first = mine, second = mine, third = mine;
  assert(!(first == 1 && second == 0 && third == 1)); /* BUG: assert */
  theirs = 0;
  pthread_join(one, 0);
  return 0;
}
