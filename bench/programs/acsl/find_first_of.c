/* The first element that is one of a number of values. */
/*@ predicate IsIn{L}(int value, int *pool, integer size) = \exists integer k; 0 <= k < size && pool[k] == value;
    predicate Meets{L}(int *a, integer n, int *pool, integer size) =
      \exists integer i; 0 <= i < n && IsIn{L}(a[i], pool, size); */

/*@ requires size >= 0 && \valid_read(pool + (0 .. size-1));
    assigns \nothing;
    ensures \result == 1 <==> IsIn(value, pool, size);
    ensures \result == 0 || \result == 1; */
int is_in(int value, const int *pool, int size)
{
    /*@ loop invariant 0 <= k <= size;
        loop invariant !IsIn(value, pool, k);
        loop assigns k;
        loop variant size - k; */
    for (int k = 0; k < size; k++)
        if (pool[k] == value)
            return 1;
    return 0;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    requires size >= 0 && \valid_read(pool + (0 .. size-1));
    assigns \nothing;
    behavior found:
      assumes Meets(a, n, pool, size);
      ensures 0 <= \result < n && IsIn(a[\result], pool, size) && !Meets(a, \result, pool, size);
    behavior missing:
      assumes !Meets(a, n, pool, size);
      ensures \result == n;
    complete behaviors found, missing;
    disjoint behaviors found, missing; */
int find_first_of(const int *a, int n, const int *pool, int size)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant !Meets(a, i, pool, size);
        loop assigns i;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (is_in(a[i], pool, size))
            return i;
    return n;
}
