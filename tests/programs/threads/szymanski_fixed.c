/* expect: safe
   native: asan */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2];
static int inside;

static void *first(void *unused) {
  flags[0] = 1;
  while (flags[1] >= 3) {
  }
  flags[0] = 3;
  if (flags[1] == 1) {
    flags[0] = 2;
    while (flags[1] != 4) {
    }
  }
  flags[0] = 4;
  inside = 1;
  int other = flags[1];
  while (other == 2 || other == 3) {
    other = flags[1];
  }
  flags[0] = 0;
  return unused;
}

static void second(void) {
  flags[1] = 1;
  while (flags[0] >= 3) {
  }
  flags[1] = 3;
  if (flags[0] == 1) {
    flags[1] = 2;
    while (flags[0] != 4) {
    }
  }
  flags[1] = 4;
  while (flags[0] >= 2) {
  }
  inside = 2;
  flags[1] = 0;
}

int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  second();
  pthread_join(one, 0);
  return 0;
}
