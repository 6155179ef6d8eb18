/* expect: safe
   native: asan */
#include <assert.h>
#include <threads.h>

static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int calls;

static void begin(void) {
  calls++;
  tss_create(&key, 0);
}

static int run(void *unused) {
  (void)unused;
  call_once(&flag, begin);
  assert(tss_get(key) == 0);
  tss_set(key, &calls);
  return calls;
}

int main(void) {
  thrd_t one, two;
  thrd_create(&one, run, 0);
  thrd_create(&two, run, 0);
  int result;
  thrd_join(one, &result);
  assert(result == 1);
  thrd_join(two, &result);
  assert(result == 1);
  return 0;
}
