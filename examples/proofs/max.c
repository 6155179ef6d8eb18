/* The largest element of an array, and that it is one of them. */
/*@ requires n > 0;
    requires \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \forall integer k; 0 <= k < n ==> a[k] <= \result;
    ensures \exists integer k; 0 <= k < n && a[k] == \result;
*/
int max(const int *a, int n)
{
    int largest = a[0];
    /*@ loop invariant 1 <= i <= n;
        loop invariant \forall integer k; 0 <= k < i ==> a[k] <= largest;
        loop invariant \exists integer k; 0 <= k < i && a[k] == largest;
        loop assigns i, largest;
        loop variant n - i;
    */
    for (int i = 1; i < n; i++)
        if (a[i] > largest)
            largest = a[i];
    return largest;
}
