/* expect: unsafe */
/*@ requires \valid(a + (-3 .. 3)); assigns a[-3 .. 3]; ensures a[-3] == \old(a[-3]); */
void f(int *a) { a[-3] = a[-3] + (a[-3] < 100); }
