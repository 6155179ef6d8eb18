/* The inner product of two arrays of small numbers. */
/*@ logic integer Product{L}(short *a, short *b, integer n) =
      n <= 0 ? 0 : Product{L}(a, b, n - 1) + a[n-1] * b[n-1];
    lemma product_bounds{L}: \forall short *a, short *b, integer n;
      0 <= n ==> -n * 1073741824 <= Product{L}(a, b, n) <= n * 1073741824; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
    assigns \nothing;
    ensures \result == Product(a, b, n); */
long inner_product(const short *a, const short *b, int n)
{
    long sum = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant sum == Product(a, b, i);
        loop assigns i, sum;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        sum += (long)a[i] * b[i];
    return sum;
}
