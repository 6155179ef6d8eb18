/* Cases of one target share a path or not; the classes are what counts.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

static int class_of(unsigned char c) {
  switch (c) {
  case '0': case '1': case '2': case '3': case '4':
  case '5': case '6': case '7': case '8': case '9': return 1;
  case ' ': case '\t': case '\n': return 2;
  case '+': case '-': return 3;
  }
  return 0;
}

int main(void) {
  unsigned char c;
  unfork_symbolic(&c, sizeof c, "c");
  int k = class_of(c);
  assert((k == 1) == (c >= '0' && c <= '9'));
  if (k == 3) assert(c == 43 || c == 45);
  return 0;
}
