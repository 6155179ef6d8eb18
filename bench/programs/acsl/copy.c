/* A copy, and a copy the other way round. */
/*@ predicate Equal{K, L}(int *a, integer m, integer n, int *b) =
      \forall integer i; m <= i < n ==> \at(a[i], K) == \at(b[i], L);
    predicate Reversed{K, L}(int *a, integer m, integer n, integer size, int *b) =
      \forall integer i; m <= i < n ==> \at(b[i], L) == \at(a[size - 1 - i], K); */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures Equal{Old, Here}(a, 0, n, b); */
void copy(const int *a, int *b, int n)
{
    /*@ loop invariant 0 <= i <= n && Equal{Pre, Here}(a, 0, i, b);
        loop assigns i, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures Reversed{Old, Here}(a, 0, n, n, b); */
void reverse_copy(const int *a, int *b, int n)
{
    /*@ loop invariant 0 <= i <= n && Reversed{Pre, Here}(a, 0, i, n, b);
        loop assigns i, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        b[i] = a[n - 1 - i];
}
