/* Two threads count under a mutex; an exception leaves its scope each time.
   expect: safe
   native: gcc -std=c++17 -pthread */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

struct Counter {
  std::mutex mutex;
  int value = 0;
};

static Counter &counter() {
  static Counter only;
  return only;
}

static void add(int more) {
  try {
    std::lock_guard<std::mutex> lock(counter().mutex);
    counter().value += more;
    throw std::runtime_error("added");
  } catch (const std::runtime_error &) {
  }
}

int main() {
  counter();
  std::thread adding(add, 2);
  add(1);
  adding.join();
  assert(counter().value == 3);
  return 0;
}
