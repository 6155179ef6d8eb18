/* A destructor that sets its value again is called in four rounds.
   expect: unsafe
   native: asan */
#include <assert.h>
#include <threads.h>

static tss_t key;
static int calls;

static void again(void *value) {
  calls++;
  tss_set(key, value);
}

static int run(void *value) {
  tss_set(key, value);
  return 5;
}

int main(void) {
  thrd_t thread;
  int result;
  tss_create(&key, again);
  thrd_create(&thread, run, &result);
  thrd_join(thread, &result);
  assert(result == 5);
  assert(calls != 4); /* BUG: assert */
  return 0;
}
