/* Where a value is in a sorted array, or -1. */
/*@ requires n >= 0;
    requires \valid_read(a + (0 .. n-1));
    requires \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
    assigns \nothing;
    ensures -1 <= \result < n;
    ensures \result >= 0 ==> a[\result] == value;
    ensures \result == -1 ==> \forall integer k; 0 <= k < n ==> a[k] != value;
*/
int binary_search(const int *a, int n, int value)
{
    int low = 0, high = n - 1;
    /*@ loop invariant 0 <= low && high < n && low <= high + 1;
        loop invariant \forall integer k; 0 <= k < low ==> a[k] < value;
        loop invariant \forall integer k; high < k < n ==> a[k] > value;
        loop assigns low, high;
        loop variant high - low + 1;
    */
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < value)
            low = middle + 1;
        else if (a[middle] > value)
            high = middle - 1;
        else
            return middle;
    }
    return -1;
}
