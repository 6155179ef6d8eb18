/* All sums of the first elements of an array. */
/*@ logic integer Sum{L}(short *a, integer n) = n <= 0 ? 0 : Sum{L}(a, n - 1) + a[n-1];
    lemma sum_bounds{L}: \forall short *a, integer n; 0 <= n ==> -n * 32768 <= Sum{L}(a, n) <= n * 32768;
    predicate PartialSums{L}(short *a, integer n, long *b) =
      \forall integer i; 0 <= i < n ==> b[i] == Sum{L}(a, i + 1); */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures PartialSums(a, n, b); */
void partial_sum(const short *a, int n, long *b)
{
    long sum = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant sum == Sum(a, i);
        loop invariant PartialSums(a, i, b);
        loop assigns i, sum, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++) {
        sum += a[i];
        b[i] = sum;
    }
}
