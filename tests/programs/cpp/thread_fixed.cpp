/* Threads of the library: what they were given is there, one makes the static variable, exceptions stay within.
   expect: safe
   native: asan -pthread */
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
#include "unfork.h"

struct Counter {
  std::mutex lock;
  int value = 0;
};

static Counter &counter() {
  static Counter only;
  return only;
}

static void add(int amount) {
  try {
    if (amount > 1) throw std::out_of_range("too much");
    std::lock_guard<std::mutex> held(counter().lock);
    counter().value += amount;
  } catch (const std::out_of_range &) {
    std::lock_guard<std::mutex> held(counter().lock);
    counter().value++;
  }
}

int main() {
  std::thread other(add, 2);
  add(1);
  other.join();
  assert(counter().value == 2);
  return 0;
}
