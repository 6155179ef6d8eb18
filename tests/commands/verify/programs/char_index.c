/* expect: unsafe */
/*@ requires \valid(a + (0 .. 299)); assigns a[0 .. 299]; ensures a[200] == 1; */
void f(int *a) { signed char c = (signed char)200; a[c < 0 ? 0 : c] = 1; }
