/* expect: unsafe
   native: none (it depends on the order of the threads) */
#include <mutex>
#include <thread>

struct Account {
  std::mutex mutex;
  int balance = 100;
};

void transfer(Account &from, Account &to, int amount) {
  std::lock_guard<std::mutex> first(from.mutex);
  std::lock_guard<std::mutex> second(to.mutex);  /* BUG: deadlock */
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account one, other;
  std::thread there([&] { transfer(one, other, 10); });
  transfer(other, one, 20);
  there.join();
}
