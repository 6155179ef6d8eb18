/* A copy that begins with another element. */
/*@ predicate Shifted{K, L}(int *a, integer from, integer n, int *b, integer to) =
      \forall integer i; 0 <= i < n ==> \at(a[from + i], K) == \at(b[to + i], L); */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures Shifted{Old, Here}(a, 0, n, b, 0); */
void copy(const int *a, int n, int *b)
{
    /*@ loop invariant 0 <= i <= n && Shifted{Pre, Here}(a, 0, i, b, 0);
        loop assigns i, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

/*@ requires 0 <= m <= n && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures left: Shifted{Old, Here}(a, m, n - m, b, 0);
    ensures right: Shifted{Old, Here}(a, 0, m, b, n - m); */
void rotate_copy(const int *a, int m, int n, int *b)
{
    copy(a, m, b + (n - m));
    copy(a + m, n - m, b);
}
