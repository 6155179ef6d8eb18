/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char buffer[6] = {0};
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 6);
  memset(buffer, 'x', n);
  unsigned count = 0;
  for (int i = 0; i < 6; i++) count += buffer[i] == 'x';
  assert(count == n);
  return 0;
}
