/* expect: unsafe */
#include <stdlib.h>
/*@ requires 0 <= n <= 100; assigns \nothing; ensures \result == 0; */
int f(int n) {
  int *p = 0; int r = 0;
  /*@ loop invariant 0 <= i <= n; loop assigns i, p, r; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (p) { r = 1; } p = malloc(4); if (!p) break; }
  return r;
}
