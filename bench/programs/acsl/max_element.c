/* Where the first of the largest elements is, and the smallest; the largest element itself. */
/*@ predicate AtMost{L}(int *a, integer from, integer to, integer limit) =
      \forall integer i; from <= i < to ==> a[i] <= limit;
    predicate Below{L}(int *a, integer from, integer to, integer limit) =
      \forall integer i; from <= i < to ==> a[i] < limit;
    predicate FirstMaximum{L}(int *a, integer n, integer p) =
      0 <= p < n && AtMost{L}(a, 0, n, a[p]) && Below{L}(a, 0, p, a[p]); */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    behavior empty:
      assumes n == 0;
      ensures \result == 0;
    behavior filled:
      assumes n > 0;
      ensures FirstMaximum(a, n, \result);
    complete behaviors;
    disjoint behaviors; */
int max_element(const int *a, int n)
{
    if (n == 0)
        return 0;
    int p = 0;
    /*@ loop invariant 1 <= i <= n && FirstMaximum(a, i, p);
        loop assigns i, p;
        loop variant n - i; */
    for (int i = 1; i < n; i++)
        if (a[p] < a[i])
            p = i;
    return p;
}

/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures AtMost(a, 0, n, \result);
    ensures \exists integer i; 0 <= i < n && a[i] == \result; */
int max_seq(const int *a, int n)
{
    return a[max_element(a, n)];
}
