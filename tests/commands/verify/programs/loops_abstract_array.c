/* A loop without an invariant that writes an array of any length is not taken at once.

   expect: unsafe
   options: --loops abstract --max-time 6 --solver-timeout 2
*/
/*@ requires n > 0 && \valid(a + (0 .. n-1)); assigns a[0 .. n-1]; ensures a[0] == \old(a[0]); */
void fill(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 7; }
