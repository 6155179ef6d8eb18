/* The first of two equal neighbours. */
/*@ predicate Twins{L}(int *a, integer n) = \exists integer i; 0 <= i < n - 1 && a[i] == a[i+1]; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures 0 <= \result <= n;
    behavior some:
      assumes Twins(a, n);
      ensures \result < n - 1 && a[\result] == a[\result+1];
      ensures !Twins(a, \result);
    behavior none:
      assumes !Twins(a, n);
      ensures \result == n;
    complete behaviors;
    disjoint behaviors; */
int adjacent_find(const int *a, int n)
{
    /*@ loop invariant 0 <= i <= n && (n > 0 ==> i < n);
        loop invariant !Twins(a, i + 1);
        loop assigns i;
        loop variant n - i; */
    for (int i = 0; i + 1 < n; i++)
        if (a[i] == a[i + 1])
            return i;
    return n;
}
