/* puts takes no null pointer; a message that was not found is one.
   expect: unsafe
   options: --libc none */
#include <stdio.h>
#include "unfork.h"

static const char *message(int number) { return number ? "text" : 0; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  puts(message(x)); /* BUG: null-dereference */
  return 0;
}
