/* What the first thread has of its own is destroyed if it ends before the program; a deleted key destroys nothing.
   expect: safe
   native: asan */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key, deleted;
static int destroyed;
static pthread_t first;

static void set(void *value) { *(int *)value = 1; }

static void *run(void *unused) {
  pthread_join(first, 0);
  assert(destroyed == 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  static int kept = 0;
  first = pthread_self();
  pthread_key_create(&key, set);
  pthread_key_create(&deleted, set);
  pthread_setspecific(key, &destroyed);
  pthread_setspecific(deleted, &kept);
  pthread_key_delete(deleted);
  pthread_create(&thread, 0, run, 0);
  pthread_exit(0);
}
