/* A class made of others: an optional, an owner of a polymorphic object, an enumeration and a plain struct.
   expect: unsafe
   options: --function Account::pay --max-size 2
   native: none (a function that is run alone) */
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include "unfork.h"

enum class Kind : unsigned char { current, savings };
struct Limits {
  int least;
  int most;
};
struct Rule {
  virtual ~Rule() = default;
  virtual bool allows(int amount) const = 0;
};
struct Never : Rule {
  bool allows(int) const override { return false; }
};
struct Small : Rule {
  int most = 10;
  bool allows(int amount) const override { return amount < most; }
};

class Account {
  Kind kind;
  Limits limits;
  std::unique_ptr<Rule> rule;
  std::optional<std::string> owner;

public:
  Account(Kind kind, const Limits &limits, std::unique_ptr<Rule> rule, std::optional<std::string> owner)
      : kind(kind), limits(limits), rule(std::move(rule)), owner(std::move(owner)) {
    if (this->limits.least > this->limits.most) throw std::invalid_argument("limits");
  }
  Account(const Account &) = delete;
  int pay(int amount);
};

int Account::pay(int amount) {
  unfork_check(limits.least <= limits.most);
  if (amount < limits.least || amount > limits.most) return 0;
  if (rule == nullptr) return 1;
  if (rule->allows(amount)) unfork_check(amount != 7 || !owner || owner->size() < 2); /* BUG: assert */
  return kind == Kind::savings;
}
