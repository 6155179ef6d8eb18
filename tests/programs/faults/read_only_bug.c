/* expect: unsafe
   native: asan
   input: x=5 */
#include "unfork.h"

int main(void) {
  char own[] = "own";
  char *text = own;
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 5) text = (char *)"literal";
  text[0] = 'X'; /* BUG: read-only */
  return 0;
}
