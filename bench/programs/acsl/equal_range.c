/* Lower and upper bound of a value in a sorted array, and the range of its equals, in a struct that the caller has. */
struct range {
    int first, last;
};
/*@ predicate Sorted{L}(int *a, integer n) = \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j];
    predicate Below{L}(int *a, integer from, integer to, integer v) = \forall integer i; from <= i < to ==> a[i] < v;
    predicate AtLeast{L}(int *a, integer from, integer to, integer v) = \forall integer i; from <= i < to ==> a[i] >= v;
    predicate AtMost{L}(int *a, integer from, integer to, integer v) = \forall integer i; from <= i < to ==> a[i] <= v;
    predicate Above{L}(int *a, integer from, integer to, integer v) = \forall integer i; from <= i < to ==> a[i] > v; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && Sorted(a, n);
    assigns \nothing;
    ensures 0 <= \result <= n;
    ensures left: Below(a, 0, \result, value);
    ensures right: AtLeast(a, \result, n, value); */
int lower_bound(const int *a, int n, int value)
{
    int left = 0, right = n;
    /*@ loop invariant 0 <= left <= right <= n;
        loop invariant Below(a, 0, left, value) && AtLeast(a, right, n, value);
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
    ensures 0 <= \result <= n;
    ensures left: AtMost(a, 0, \result, value);
    ensures right: Above(a, \result, n, value); */
int upper_bound(const int *a, int n, int value)
{
    int left = 0, right = n;
    /*@ loop invariant 0 <= left <= right <= n;
        loop invariant AtMost(a, 0, left, value) && Above(a, right, n, value);
        loop assigns left, right;
        loop variant right - left; */
    while (left < right) {
        int middle = left + (right - left) / 2;
        if (a[middle] <= value)
            left = middle + 1;
        else
            right = middle;
    }
    return left;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && Sorted(a, n);
    requires \valid(r) && \separated(r, a + (0 .. n-1));
    assigns *r;
    ensures 0 <= r->first <= r->last <= n;
    ensures Below(a, 0, r->first, value) && Above(a, r->last, n, value);
    ensures \forall integer i; r->first <= i < r->last ==> a[i] == value; */
void equal_range(const int *a, int n, int value, struct range *r)
{
    int first = lower_bound(a, n, value);
    int last = upper_bound(a, n, value);
    //@ assert last < first ==> a[last] < value && a[last] > value;
    r->first = first;
    r->last = last;
}
