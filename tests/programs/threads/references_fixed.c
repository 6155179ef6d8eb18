/* expect: safe
   native: asan */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct object {
  atomic_int references;
  int value;
} *object;

static void release(void) {
  if (atomic_fetch_sub(&object->references, 1) == 1) {
    free(object);
  }
}

static void *run(void *unused) {
  release();
  return unused;
}

int main(void) {
  pthread_t one, two;
  object = malloc(sizeof *object);
  if (!object) {
    return 0;
  }
  object->references = 2;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
