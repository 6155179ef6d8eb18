/* The sum of an array, where no sum on the way is too large for its type. */
/*@ axiomatic Sums {
      logic integer Sum{L}(int *a, integer n, integer first) =
        n <= 0 ? first : Sum{L}(a, n - 1, first) + a[n-1];
      predicate Fits{L}(int *a, integer n, integer first) =
        \forall integer i; 0 <= i <= n ==> -2147483648 <= Sum{L}(a, i, first) <= 2147483647;
    } */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    requires Fits(a, n, first);
    assigns \nothing;
    ensures \result == Sum(a, n, first); */
int accumulate(const int *a, int n, int first)
{
    int sum = first;
    /*@ loop invariant 0 <= i <= n && sum == Sum(a, i, first);
        loop assigns i, sum;
        loop variant n - i; */
    for (int i = 0; i < n; i++) {
        //@ assert Sum(a, i + 1, first) == Sum(a, i, first) + a[i];
        sum += a[i];
    }
    return sum;
}
