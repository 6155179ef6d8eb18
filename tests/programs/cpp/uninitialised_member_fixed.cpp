/* expect: safe
   options: --check uninitialised
   native: asan */
#include <string>
#include "unfork.h"

struct Settings {
  std::string name;
  bool is_verbose = false;
  explicit Settings(int x) : name("settings") {
    if (x > 0) is_verbose = x > 5;
  }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Settings settings(x);
  if (settings.is_verbose) return 0;
  return 0;
}
