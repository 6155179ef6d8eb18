/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

int main(void) {
  char own[] = "own", literal[] = "literal";
  char *text = own;
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 5) text = literal;
  text[0] = 'X';
  return 0;
}
