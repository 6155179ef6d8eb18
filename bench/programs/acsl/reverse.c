/* An array the other way round, in place. */
/*@ predicate Reversed{K, L}(int *a, integer m, integer n, integer size) =
      \forall integer i; m <= i < n ==> \at(a[i], L) == \at(a[size - 1 - i], K);
    predicate Unchanged{K, L}(int *a, integer m, integer n) =
      \forall integer i; m <= i < n ==> \at(a[i], K) == \at(a[i], L); */

/*@ requires \valid(p) && \valid(q);
    assigns *p, *q;
    ensures *p == \old(*q) && *q == \old(*p); */
void swap(int *p, int *q)
{
    int kept = *p;
    *p = *q;
    *q = kept;
}

/*@ requires n >= 0 && \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures Reversed{Old, Here}(a, 0, n, n); */
void reverse(int *a, int n)
{
    int half = n / 2;
    /*@ loop invariant 0 <= i <= half;
        loop invariant Reversed{Pre, Here}(a, 0, i, n) && Reversed{Pre, Here}(a, n - i, n, n);
        loop invariant Unchanged{Pre, Here}(a, i, n - i);
        loop assigns i, a[0 .. n-1];
        loop variant half - i; */
    for (int i = 0; i < half; i++)
        swap(&a[i], &a[n - 1 - i]);
}
