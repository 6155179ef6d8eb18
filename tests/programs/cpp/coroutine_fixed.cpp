/* A generator.
   expect: safe
   options: --cflags -std=c++20 --check leak
   native: asan -std=c++20 */
#include <cassert>
#include <coroutine>
#include <exception>
#include "unfork.h"

struct Generator {
  struct promise_type {
    int value = 0;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

static Generator squares(int count) {
  for (int i = 0; i < count; i++) co_yield i * i;
}

int main() {
  int count;
  unfork_symbolic(&count, sizeof count, "count");
  unfork_assume(count >= 0 && count < 4);
  Generator generator = squares(count);
  int sum = 0;
  for (generator.handle.resume(); !generator.handle.done(); generator.handle.resume())
    sum += generator.handle.promise().value;
  generator.handle.destroy();
  assert(sum == (count == 3 ? 5 : count == 2 ? 1 : 0));
  return 0;
}
