/* Two variables are swapped, and then the elements of two arrays. */
/*@ predicate Equal{K, L}(int *a, integer m, integer n, int *b) =
      \forall integer i; m <= i < n ==> \at(a[i], K) == \at(b[i], L); */

/*@ requires \valid(p) && \valid(q);
    assigns *p, *q;
    ensures *p == \old(*q) && *q == \old(*p); */
void swap(int *p, int *q)
{
    int kept = *p;
    *p = *q;
    *q = kept;
}

/*@ requires n >= 0 && \valid(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns a[0 .. n-1], b[0 .. n-1];
    ensures Equal{Old, Here}(a, 0, n, b) && Equal{Old, Here}(b, 0, n, a); */
void swap_ranges(int *a, int *b, int n)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant Equal{Pre, Here}(a, 0, i, b) && Equal{Pre, Here}(b, 0, i, a);
        loop invariant Equal{Pre, Here}(a, i, n, a) && Equal{Pre, Here}(b, i, n, b);
        loop assigns i, a[0 .. n-1], b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        swap(a + i, b + i);
}
