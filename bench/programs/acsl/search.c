/* Where a pattern stands in a text first. */
/*@ predicate Match{L}(int *a, integer at, int *p, integer m) = \forall integer k; 0 <= k < m ==> a[at + k] == p[k];
    predicate HasMatch{L}(int *a, integer last, int *p, integer m) =
      \exists integer at; 0 <= at < last && Match{L}(a, at, p, m); */

/*@ requires m >= 0 && \valid_read(a + (0 .. m-1)) && \valid_read(p + (0 .. m-1));
    assigns \nothing;
    ensures \result <==> Match(a, 0, p, m); */
int is_match(const int *a, const int *p, int m)
{
    /*@ loop invariant 0 <= k <= m && Match(a, 0, p, k);
        loop assigns k;
        loop variant m - k; */
    for (int k = 0; k < m; k++)
        if (a[k] != p[k])
            return 0;
    return 1;
}

/*@ requires 0 <= m <= n && \valid_read(a + (0 .. n-1)) && \valid_read(p + (0 .. m-1));
    assigns \nothing;
    ensures \result == -1 || 0 <= \result <= n - m;
    ensures \result >= 0 ==> Match(a, \result, p, m) && !HasMatch(a, \result, p, m);
    ensures \result == -1 ==> !HasMatch(a, n - m + 1, p, m); */
int search(const int *a, int n, const int *p, int m)
{
    /*@ loop invariant 0 <= i <= n - m + 1;
        loop invariant !HasMatch(a, i, p, m);
        loop assigns i;
        loop variant n - m + 1 - i; */
    for (int i = 0; i <= n - m; i++)
        if (is_match(a + i, p, m))
            return i;
    return -1;
}
