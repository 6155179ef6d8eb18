/* Insertion sort: the result is sorted. */
/*@ requires n >= 0;
    requires \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures \forall integer i, j; 0 <= i <= j < n ==> a[i] <= a[j];
*/
void insertion_sort(int *a, int n)
{
    /*@ loop invariant 0 <= i && (i <= n || i == 1);
        loop invariant \forall integer p, q; 0 <= p <= q < i && q < n ==> a[p] <= a[q];
        loop assigns i, a[0 .. n-1];
        loop variant n - i;
    */
    for (int i = 1; i < n; i++) {
        int value = a[i];
        int j = i;
        /*@ loop invariant 0 <= j <= i;
            loop invariant \forall integer p, q; 0 <= p <= q < j ==> a[p] <= a[q];
            loop invariant \forall integer p, q; j < p <= q <= i ==> a[p] <= a[q];
            loop invariant \forall integer p, q; 0 <= p < j && j < q <= i ==> a[p] <= a[q];
            loop invariant \forall integer q; j < q <= i ==> value <= a[q];
            loop assigns j, a[0 .. n-1];
            loop variant j;
        */
        while (j > 0 && a[j - 1] > value) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = value;
    }
}
