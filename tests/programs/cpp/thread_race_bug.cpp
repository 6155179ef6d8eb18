/* expect: unsafe */
#include <memory>
#include <thread>

struct Account {
  int balance = 0;
};

int main() {
  auto account = std::make_shared<Account>();
  std::thread other([account] { account->balance += 1; });  /* BUG: data-race */
  account->balance += 2;  /* BUG: data-race */
  other.join();
}
