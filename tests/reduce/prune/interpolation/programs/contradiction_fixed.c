/* Behind the sides that no path took lies a[i], where i is at least 16 on the path that is followed.
   expect: safe
   native: asan */
#include "unfork.h"

int a[8];

int main(void) {
  unsigned i, k;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&k, sizeof k, "k");
  int r = 0;
  for (int j = 0; j < 8; j++) a[j] = j;
  if (k & 1) r++;
  if (k & 2) r++;
  if (k & 4)
    i &= 7;
  else
    i |= 16;
  if (k & 8) r++;
  if (k & 16) r++;
  if (i < 8) r += a[i];
  if (k & 32) r++;
  return 0;
}
