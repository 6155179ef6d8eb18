/* Variables are destroyed by their thread, the newest first, and what destructors make after that.
   expect: safe
   native: asan */
#include <cassert>
#include <pthread.h>

static int seen, chained;

struct Link {
  int uses = 0;
  ~Link() { chained += uses; }
};

static Link &link_of_thread() {
  static thread_local Link link;
  return link;
}

struct Adds {
  int value;
  explicit Adds(int value) : value(value) {}
  ~Adds() {
    seen = seen * 10 + value;
    if (value > 1) link_of_thread().uses++;
  }
};

static int two = 2;
static thread_local Adds first(1), second(two);

static struct Last {
  ~Last() { assert(seen == 5121 && chained == 2); }
} last;

static void *run(void *ends_itself) {
  first.value = 1;
  second.value = 5;
  if (ends_itself) pthread_exit(nullptr);
  return nullptr;
}

int main() {
  pthread_t thread;
  first.value = 1;
  pthread_create(&thread, nullptr, run, nullptr);
  pthread_join(thread, nullptr);
  assert(seen == 51 && chained == 1);
  return 0;
}
