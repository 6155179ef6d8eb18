/* Each element of the result is the sum of all elements so far; sums are kept small by what is required. */
/*@ requires 0 <= n <= 1000000;
    requires \valid_read(a + (0 .. n-1));
    requires \valid(sums + (0 .. n-1));
    requires \separated(a + (0 .. n-1), sums + (0 .. n-1));
    requires \forall integer k; 0 <= k < n ==> -1000 <= a[k] <= 1000;
    assigns sums[0 .. n-1];
    ensures n > 0 ==> sums[0] == a[0];
    ensures \forall integer k; 1 <= k < n ==> sums[k] == sums[k-1] + a[k];
*/
void prefix_sums(const int *a, int *sums, int n)
{
    int sum = 0;
    /*@ loop invariant 0 <= i <= n;
        loop invariant -1000 * i <= sum <= 1000 * i;
        loop invariant i == 0 ==> sum == 0;
        loop invariant i > 0 ==> sum == sums[i-1] && sums[0] == a[0];
        loop invariant \forall integer k; 1 <= k < i ==> sums[k] == sums[k-1] + a[k];
        loop assigns i, sum, sums[0 .. n-1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        sum += a[i];
        sums[i] = sum;
    }
}
