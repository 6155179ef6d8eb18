/* One array is always two elements longer than the other.
   expect: unsafe
   open: ensures */
/*@ requires 0 <= n < 1000 && \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n+1));
    requires \separated(a + (0 .. n-1), b + (0 .. n+1)); assigns \nothing; ensures \result == 0; */
int f(const int *a, const char *b, int n) { return n > 0 && a[n - 1] == 7 && b[n + 1] == 7; }
