/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char text[8] = "abcdef";
  unsigned to;
  unfork_symbolic(&to, sizeof to, "to");
  unfork_assume(to <= 4);
  memmove(text + to, text, 3);
  assert(text[to] == 'a');
  assert(text[to + 1] == 'b');
  assert(text[to + 2] == 'c');
  return 0;
}
