/* A reference to a thread's own vector outlives the thread.
   expect: unsafe
   native: none (the system keeps the memory of a thread that has ended) */
#include <thread>
#include <vector>

struct Store {
  std::vector<int> numbers{1, 2};
  int last = 2;
};

static Store &store() {
  static thread_local Store own;
  return own;
}

int main() {
  Store *shown = &store();
  shown->last = 4;
  std::thread thread([&] {
    shown = &store();
    shown->numbers.push_back(shown->last + 1);
  });
  thread.join();
  return shown->last - 2; /* BUG: use-after-free */
}
