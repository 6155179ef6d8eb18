/* One value in place of another, in the array and in a copy of it. */
/*@ predicate Replaced{K, L}(int *a, integer n, int *b, int old_value, int new_value) =
      \forall integer i; 0 <= i < n ==>
        \let before = \at(a[i], K); \at(b[i], L) == (before == old_value ? new_value : before);
    predicate Unchanged{K, L}(int *a, integer m, integer n) =
      \forall integer i; m <= i < n ==> \at(a[i], K) == \at(a[i], L); */

/*@ requires n >= 0 && \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures Replaced{Old, Here}(a, n, a, old_value, new_value); */
void replace(int *a, int n, int old_value, int new_value)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant Replaced{Pre, Here}(a, i, a, old_value, new_value);
        loop invariant Unchanged{Pre, Here}(a, i, n);
        loop assigns i, a[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (a[i] == old_value)
            a[i] = new_value;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures Replaced{Old, Here}(a, n, b, old_value, new_value); */
void replace_copy(const int *a, int n, int *b, int old_value, int new_value)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant Replaced{Pre, Here}(a, i, b, old_value, new_value);
        loop assigns i, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        b[i] = a[i] == old_value ? new_value : a[i];
}
