/* The first element that is one of a set of values. */
/*@ predicate IsIn{L}(int value, int *set, integer size) = \exists integer k; 0 <= k < size && set[k] == value;
    predicate Meets{L}(int *a, integer n, int *set, integer size) =
      \exists integer i; 0 <= i < n && IsIn{L}(a[i], set, size); */

/*@ requires size >= 0 && \valid_read(set + (0 .. size-1));
    assigns \nothing;
    ensures \result == 1 <==> IsIn(value, set, size);
    ensures \result == 0 || \result == 1; */
int is_in(int value, const int *set, int size)
{
    /*@ loop invariant 0 <= k <= size;
        loop invariant !IsIn(value, set, k);
        loop assigns k;
        loop variant size - k; */
    for (int k = 0; k < size; k++)
        if (set[k] == value)
            return 1;
    return 0;
}

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    requires size >= 0 && \valid_read(set + (0 .. size-1));
    assigns \nothing;
    behavior found:
      assumes Meets(a, n, set, size);
      ensures 0 <= \result < n && IsIn(a[\result], set, size) && !Meets(a, \result, set, size);
    behavior missing:
      assumes !Meets(a, n, set, size);
      ensures \result == n;
    complete behaviors found, missing;
    disjoint behaviors found, missing; */
int find_first_of(const int *a, int n, const int *set, int size)
{
    /*@ loop invariant 0 <= i <= n;
        loop invariant !Meets(a, i, set, size);
        loop assigns i;
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (is_in(a[i], set, size))
            return i;
    return n;
}
