/* expect: unsafe */
/*@ requires \valid(a + (-3 .. 3)); assigns a[-3 .. 3]; */
void f(int *a) { a[-4] = 1; }
