/* exit() in a thread destroys that thread's variables, then statics; those of other threads are left.
   expect: safe
   native: asan */
#include <cassert>
#include <cstdlib>
#include <pthread.h>

static int seen;

struct Adds {
  int value = 1;
  ~Adds() { seen += value; }
};

static thread_local Adds own;

static struct Last {
  ~Last() { assert(seen == 5); }
} last;

static void *run(void *) {
  own.value = 5;
  std::exit(0);
}

int main() {
  pthread_t thread;
  own.value = 100;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  return 0;
}
