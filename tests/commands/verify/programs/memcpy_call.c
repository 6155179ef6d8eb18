/* expect: unsafe */
#include <string.h>
/*@ requires \valid(a + (0 .. 3)); assigns a[0 .. 3]; ensures a[1] == \old(a[1]); */
void f(int *a) { memcpy(a, a + 2, 8); }
