/* Consecutive numbers, and a constant, in an array. */
/*@ predicate Iota{L}(int *a, integer n, integer first) = \forall integer i; 0 <= i < n ==> a[i] == first + i;
    predicate Constant{L}(int *a, integer n, integer value) = \forall integer i; 0 <= i < n ==> a[i] == value; */

/*@ requires n >= 0 && \valid(a + (0 .. n-1)) && first + n <= 2147483647;
    assigns a[0 .. n-1];
    ensures Iota(a, n, first); */
void iota(int *a, int n, int first)
{
    /*@ loop invariant 0 <= i <= n && Iota(a, i, first);
        loop assigns i, a[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        a[i] = first + i;
}

/*@ requires n >= 0 && \valid(a + (0 .. n-1));
    assigns a[0 .. n-1];
    ensures Constant(a, n, value); */
void fill(int *a, int n, int value)
{
    /*@ loop invariant 0 <= i <= n && Constant(a, i, value);
        loop assigns i, a[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        a[i] = value;
}
