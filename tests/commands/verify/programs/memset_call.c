/* expect: unsafe */
#include <string.h>
/*@ requires n >= 1 && n <= 100; requires \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void f(char *a, int n) { memset(a, 0, n); }
