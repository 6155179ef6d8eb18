/* expect: unsafe */
#include <stdint.h>
/*@ requires n >= 0 && \valid(a + (0 .. 15)); assigns \nothing; ensures \result == 0; */
long f(char *a, int n) {
  uintptr_t p = (uintptr_t)a;
  /*@ loop invariant 0 <= i <= n; loop assigns i, p; loop variant n - i; */
  for (int i = 0; i < n; i++) { p += 1; }
  return (char *)p - a;
}
