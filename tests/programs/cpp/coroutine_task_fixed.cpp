/* Tasks that hand over to each other without growing the stack, exceptions through them, and an end before the end.
   expect: safe
   options: --std c++20 --check leak
   native: asan -std=c++20 -O2 */
#include <cassert>
#include <coroutine>
#include <exception>
#include <stdexcept>
#include <utility>
#include "unfork.h"

struct Task {
  struct promise_type {
    int value = 0;
    std::exception_ptr error;
    std::coroutine_handle<> waiting = std::noop_coroutine();
    struct HandOver {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        return ended.promise().waiting;
      }
      void await_resume() noexcept {}
    };
    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    HandOver final_suspend() noexcept { return {}; }
    void return_value(int result) { value = result; }
    void unhandled_exception() { error = std::current_exception(); }
  };
  std::coroutine_handle<promise_type> handle;
  explicit Task(std::coroutine_handle<promise_type> made) : handle(made) {}
  Task(Task &&other) : handle(std::exchange(other.handle, nullptr)) {}
  ~Task() {
    if (handle) handle.destroy();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) {
    handle.promise().waiting = caller;
    return handle;
  }
  int await_resume() {
    if (handle.promise().error) std::rethrow_exception(handle.promise().error);
    return handle.promise().value;
  }
};

static int living;
struct Counted {
  Counted() { living++; }
  ~Counted() { living--; }
};

static Task doubled(int x) {
  Counted counted;
  if (x == 5) throw std::out_of_range("five");
  co_return 2 * x;
}

static Task sum_of_two(int x) {
  Counted counted;
  int left = co_await doubled(x);
  co_return left + co_await doubled(x + 1);
}

static Task caught(int x) {
  Counted counted;
  try {
    co_return co_await sum_of_two(x);
  } catch (const std::out_of_range &) {
    co_return -1;
  }
}

static Task total(int count) {
  int sum = 0;
  for (int i = 10; i < 10 + count; i++) sum += co_await doubled(i);
  co_return sum;
}

static Task pausing() {
  Counted outer, inner;
  co_await std::suspend_always();
  co_return co_await doubled(1);
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 3 && x <= 6);
  {
    Task task = caught(x);
    assert(living == 0);
    task.handle.resume();
    assert(task.handle.done() && task.await_resume() == (x == 4 || x == 5 ? -1 : 4 * x + 2));
  }
  {
    Task left = pausing(), never_begun = pausing();
    left.handle.resume();
    assert(!left.handle.done() && living == 2);
  }
  assert(living == 0);
  Task task = total(40);
  task.handle.resume();
  assert(task.await_resume() == 2 * (10 + 49) * 40 / 2);
  return 0;
}
