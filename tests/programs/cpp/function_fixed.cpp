/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <functional>
#include <string>
#include "unfork.h"

struct Account {
  int balance = 10;
  bool covers(int amount) const { return amount <= balance; }
};

static int sum(int one, int two, int three) { return one * 100 + two * 10 + three; }

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Account account;
  std::function<bool(int)> covers = std::bind(&Account::covers, &account, std::placeholders::_1);
  assert(covers(x) == (x <= 10));
  auto reordered = std::bind(sum, std::placeholders::_2, 2, std::placeholders::_1);
  assert(reordered(3, 1) == 123);
  std::string captured(30, 'x');
  std::function<std::size_t()> size = [captured] { return captured.size(); };
  auto copy = size;
  size = nullptr;
  assert(!size && copy() == 30);
  assert(std::mem_fn(&Account::balance)(account) == 10);
  int count = 0;
  auto increment = [&count](auto step) { count += step; };
  increment(2);
  increment(static_cast<short>(3));
  assert(count == 5);
  assert(std::invoke(std::plus<>(), 2, 3) == 5);
  return 0;
}
