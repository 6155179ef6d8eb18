/* A destructor at the end of a thread is the thread's: nothing orders what two of them do.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>

static int sum;

struct Adds {
  int value = 1;
  ~Adds() { sum += value; } /* BUG: data-race */
};

static thread_local Adds own;

static void *run(void *) {
  own.value = 5;
  return nullptr;
}

int main() {
  pthread_t one, two;
  pthread_create(&one, nullptr, run, nullptr);
  pthread_create(&two, nullptr, run, nullptr);
  pthread_join(one, nullptr);
  pthread_join(two, nullptr);
  return 0;
}
