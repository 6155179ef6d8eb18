/* The first element that has a value. */
/*@ predicate Occurs{L}(int *a, integer from, integer to, integer value) =
      \exists integer i; from <= i < to && a[i] == value;
    predicate Occurs{L}(int *a, integer to, integer value) = Occurs{L}(a, 0, to, value); */

/*@ requires size: n >= 0;
    requires valid: \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures range: 0 <= \result <= n;
    behavior present:
      assumes Occurs(a, n, value);
      ensures bound: \result < n;
      ensures hit: a[\result] == value;
      ensures first: !Occurs(a, \result, value);
    behavior absent:
      assumes !Occurs(a, n, value);
      ensures end: \result == n;
    complete behaviors;
    disjoint behaviors; */
int find(const int *a, int n, int value)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant !Occurs(a, i, value);
        loop assigns i;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (a[i] == value)
            return i;
    return n;
}
