/* Two threads of the library add without a lock, or with one.
   expect: unsafe
   native: none (sanitizers of memory do not see races) */
#include <mutex>
#include <thread>
#include "unfork.h"

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  int sum = 0;
  std::mutex lock;
  auto add = [&] {
    std::unique_lock<std::mutex> held(lock, std::defer_lock);
    if (way != 3) held.lock();
    sum++; /* BUG: data-race */
  };
  std::thread other(add);
  add();
  other.join();
  return sum == 1;
}
