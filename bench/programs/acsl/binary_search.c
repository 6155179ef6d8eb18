/* Whether a value is in a sorted array, by way of its lower bound. */
/*@ predicate Increasing{L}(int *a, integer m, integer n) = \forall integer i, j; m <= i < j < n ==> a[i] <= a[j];
    predicate Sorted{L}(int *a, integer n) = Increasing{L}(a, 0, n);
    predicate Has{L}(int *a, integer n, integer value) = \exists integer i; 0 <= i < n && a[i] == value; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && Sorted(a, n);
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures \forall integer i; 0 <= i < \result ==> a[i] < value;
    ensures \forall integer i; \result <= i < n ==> a[i] >= value; */
int lower_bound(const int *a, int n, int value)
{
    int left = 0, right = n;
    /*@ loop invariant 0 <= left <= right <= n;
        loop invariant \forall integer i; 0 <= i < left ==> a[i] < value;
        loop invariant \forall integer i; right <= i < n ==> a[i] >= value;
        loop assigns left, right;
        loop variant right - left; */
    while (left < right) {
        int middle = left + (right - left) / 2;
        if (a[middle] < value)
            left = middle + 1;
        else
            right = middle;
    }
    return left;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && Sorted(a, n);
    assigns \nothing;
    ensures \result <==> Has(a, n, value); */
int binary_search(const int *a, int n, int value)
{
    int at = lower_bound(a, n, value);
    return at < n && a[at] == value;
}
