/* expect: safe
   assumes: the lemma wrong */
/*@ logic integer Sum{L}(int *a, integer n) = n <= 0 ? 0 : Sum{L}(a, n - 1) + a[n-1];
    lemma wrong{L}: \forall int *a, integer n; Sum{L}(a, n) >= 0; */
/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)); assigns \nothing; ensures Sum(a, n) >= 0; */
void f(int *a, int n) {}
