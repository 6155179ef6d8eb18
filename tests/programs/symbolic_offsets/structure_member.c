/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

struct account { int id; long balance; };

int main(void) {
  struct account accounts[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
  unsigned from, to;
  unfork_symbolic(&from, sizeof from, "from");
  unfork_symbolic(&to, sizeof to, "to");
  unfork_assume(from < 4 && to < 4);
  accounts[from].balance -= 5;
  accounts[to].balance += 5;
  long sum = 0;
  for (int i = 0; i < 4; i++) sum += accounts[i].balance;
  assert(sum == 100);
  assert(accounts[to].id == (int)to + 1);
  return 0;
}
