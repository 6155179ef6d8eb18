/* expect: safe
   native: asan */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int run(void *unused) {
  (void)unused;
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 6;
}

int main(void) {
  thrd_t thread;
  int result;
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  assert(thrd_create(&thread, run, 0) == thrd_success);
  mtx_lock(&lock);
  while (!ready) {
    cnd_wait(&changed, &lock);
  }
  mtx_unlock(&lock);
  assert(thrd_join(thread, &result) == thrd_success);
  assert(result == 6);
  return 0;
}
