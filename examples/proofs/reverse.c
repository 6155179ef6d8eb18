/* An array the other way round, in place. */
/*@ requires n >= 0;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer k; 0 <= k < n ==> a[k] == \old(a[n-1-k]);
*/
void reverse(int *a, int n)
{
    int low = 0, high = n - 1;
    /*@ loop invariant 0 <= low && high < n && low + high == n - 1 && low <= high + 2;
        loop invariant \forall integer k; 0 <= k < low ==> a[k] == \at(a[n-1-k], Pre);
        loop invariant \forall integer k; high < k < n ==> a[k] == \at(a[n-1-k], Pre);
        loop invariant \forall integer k; low <= k <= high ==> a[k] == \at(a[k], Pre);
        loop assigns low, high, a[0 .. n-1];
        loop variant high - low + 2;
    */
    while (low < high) {
        int other = a[low];
        a[low] = a[high];
        a[high] = other;
        low++;
        high--;
    }
}
