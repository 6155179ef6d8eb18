/* Where the first of the smallest elements is. */
/*@ predicate Least{L}(int *a, integer n, integer p) = \forall integer i; 0 <= i < n ==> a[p] <= a[i];
    predicate FirstLeast{L}(int *a, integer n, integer p) =
      0 <= p < n && Least{L}(a, n, p) && (\forall integer i; 0 <= i < p ==> a[p] < a[i]); */

/*@ requires n > 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures FirstLeast(a, n, \result); */
int min_element(const int *a, int n)
{
    int p = 0;
    /*@ loop invariant 1 <= i <= n && FirstLeast(a, i, p);
        loop assigns i, p;
        loop variant n - i; */
    for (int i = 1; i < n; i++)
        if (a[i] < a[p])
            p = i;
    return p;
}
