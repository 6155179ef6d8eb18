/* expect: safe
   native: asan */
#include <cassert>
#include <string>
#include "unfork.h"

static int made;

struct Cache {
  int hits = 0;
  std::string name = "a name that is longer than what fits inside";
  Cache() { made++; }
  ~Cache() { assert(made == 1 && name[0] == 'a'); }
};

static thread_local int plain = 4;

static Cache &cache() {
  thread_local Cache instance;
  return instance;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(made == 0);
  if (x > 0) {
    cache().hits++;
    cache().hits++;
    plain += 1;
    assert(cache().hits == 2 && made == 1);
  }
  assert(plain == (x > 0 ? 5 : 4));
  return 0;
}
