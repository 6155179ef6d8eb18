/* The test says what is wrong and goes on.
   scan: certain null-dereference 9 */
#include <stdio.h>

struct item { int value; };

int value_of(const struct item *p) {
  if (p == NULL) puts("no item");
  return p->value;
}
