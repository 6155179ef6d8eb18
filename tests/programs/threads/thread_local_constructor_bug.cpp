/* A thread's own variable is made there, on its first use.
   expect: unsafe
   native: asan */
#include <pthread.h>
#include "unfork.h"

struct Number {
  int value;
  explicit Number(int value) : value(value) {}
};

static int four = 4;
static thread_local Number own(four);

static void *run(void *) {
  unfork_check(own.value == 4);
  unfork_check(own.value != 4); /* BUG: assert */
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  return 0;
}
