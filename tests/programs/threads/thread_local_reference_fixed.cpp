/* A reference to its own vector stays in each thread.
   expect: safe
   native: asan */
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
    Store *shown = &store();
    shown->numbers.push_back(shown->last + 1);
  });
  thread.join();
  return shown->last - 4;
}
