/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char text[6] = "hello";
  unfork_symbolic(text + 2, 1, "hole");
  unsigned long n = strlen(text);
  assert(n == (text[2] ? 5 : 2));
  assert(text[0] == 'h' && text[4] == 'o');
  return 0;
}
