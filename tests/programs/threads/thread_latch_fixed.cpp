/* Latches, barriers, semaphores and waits for an atomic: each hands on what was written before.
   expect: safe
   options: --std c++20 --cflags -D_LIBCPP_ENABLE_EXPERIMENTAL
   native: asan -std=c++20 */
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>
#include "unfork.h"

int main() {
  int number = unfork::symbolic<int>("number"), seen = 0;
  std::latch started(1);
  std::binary_semaphore turn(0);
  std::atomic<char> is_answered(false);
  std::barrier met(2);
  {
    std::jthread thread([&](std::stop_token stop) {
      seen = number;
      started.count_down();
      turn.acquire();
      assert(seen == (number ^ 1));
      seen = 3;
      is_answered = true;
      is_answered.notify_one();
      met.arrive_and_wait();
      assert(seen == 4);
    });
    started.wait();
    assert(seen == number);
    seen ^= 1;
    turn.release();
    is_answered.wait(false);
    assert(seen == 3);
    seen = 4;
    met.arrive_and_wait();
  }
  assert(!turn.try_acquire());
}
