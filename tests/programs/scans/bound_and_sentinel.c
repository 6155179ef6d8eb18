/* A bound and a sentinel together: whichever comes first ends the loop.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[6];
  unsigned char n;
  unfork_symbolic(s, sizeof s, "s");
  unfork_symbolic(&n, sizeof n, "n");
  if (n > 6) return 0;
  unsigned i = 0;
  while (i < n && s[i] != ':')
    i++;
  unfork_check(i <= n);
  unfork_check(i == n || s[i] == ':');
  for (unsigned k = 0; k < 6; k++)
    if (k < i) unfork_check(s[k] != ':');
  return 0;
}
