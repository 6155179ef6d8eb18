/* Elements below a pivot come before all others. */
/*@ requires n >= 0;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures 0 <= \result <= n;
    ensures \forall integer k; 0 <= k < \result ==> a[k] < pivot;
    ensures \forall integer k; \result <= k < n ==> a[k] >= pivot;
*/
int partition(int *a, int n, int pivot)
{
    int below = 0;
    /*@ loop invariant 0 <= below <= i <= n;
        loop invariant \forall integer k; 0 <= k < below ==> a[k] < pivot;
        loop invariant \forall integer k; below <= k < i ==> a[k] >= pivot;
        loop assigns i, below, a[0 .. n-1];
        loop variant n - i;
    */
    for (int i = 0; i < n; i++) {
        if (a[i] < pivot) {
            int other = a[i];
            a[i] = a[below];
            a[below] = other;
            below++;
        }
    }
    return below;
}
