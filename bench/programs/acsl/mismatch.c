/* Where two arrays differ first, and whether they are equal. */
/*@ predicate Equal{K, L}(int *a, integer n, int *b) = \forall integer i; 0 <= i < n ==> \at(a[i], K) == \at(b[i], L);
    predicate Equal{L}(int *a, int *b, integer n) = Equal{L, L}(a, n, b); */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
    assigns \nothing;
    behavior same:
      assumes Equal{Here, Here}(a, n, b);
      ensures \result == n;
    behavior different:
      assumes !Equal{Here, Here}(a, n, b);
      ensures 0 <= \result < n && a[\result] != b[\result] && Equal{Here, Here}(a, \result, b);
    complete behaviors;
    disjoint behaviors; */
int mismatch(const int *a, const int *b, int n)
{
    /*@ loop invariant 0 <= i <= n && Equal{Here, Here}(a, i, b);
        loop assigns i;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return i;
    return n;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid_read(b + (0 .. n-1));
    assigns \nothing;
    ensures \result <==> Equal{Here}(a, b, n); */
int equal(const int *a, const int *b, int n)
{
    return mismatch(a, b, n) == n;
}
