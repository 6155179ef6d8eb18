/* expect: safe
   Only one element has another value than before, of those that might have been written. */
/*@ requires 0 <= i < 4 && \valid(a + (0 .. 3)); assigns a[i]; */
void f(int *a, int i) { a[i] = 0; }
