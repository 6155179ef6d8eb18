/* A choice of addresses plus a choice of numbers is compared as an address, whichever comes first in the sum.
   expect: safe
   options: --merge marked
   native: asan */
#include "unfork.h"

static char a[8], b[8];

int main(void) {
  unsigned char c, d;
  unfork_symbolic(&c, 1, "c");
  unfork_symbolic(&d, 1, "d");
  char *p;
  long k;
  unfork_merge_begin();
  if (c) p = a; else p = b;
  unfork_merge_end();
  unfork_merge_begin();
  if (d) k = 1; else k = 2;
  unfork_merge_end();
  char *q = p + k;
  unfork_check((unsigned long)q - (unsigned long)p <= 2);
  unfork_check(q > p && q != a + 5);
  return 0;
}
