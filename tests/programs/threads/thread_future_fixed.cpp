/* expect: safe */
#include <cassert>
#include <future>
#include <thread>
#include "unfork.h"

int main() {
  int number = unfork::symbolic<int>("number");
  unfork_assume(number >= 0 && number < 100);
  std::promise<int> promise;
  std::future<int> result = promise.get_future();
  std::thread thread([&promise, number] { promise.set_value(number < 50 ? number + 1 : number); });
  int answer = result.get();
  thread.join();
  assert(answer == number + (number < 50));
}
