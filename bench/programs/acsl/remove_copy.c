/* A copy without one value: how long it is, and that it has nothing else. */
/*@ logic integer Kept{L}(int *a, integer n, int value) =
      n <= 0 ? 0 : Kept{L}(a, n - 1, value) + (a[n-1] == value ? 0 : 1);
    lemma kept_bounds{L}: \forall int *a, integer n, int value; 0 <= n ==> 0 <= Kept{L}(a, n, value) <= n;
    predicate Without{L}(int *b, integer n, int value) = \forall integer i; 0 <= i < n ==> b[i] != value; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1)) && \valid(b + (0 .. n-1));
    requires \separated(a + (0 .. n-1), b + (0 .. n-1));
    assigns b[0 .. n-1];
    ensures size: \result == Kept{Old}(a, n, value) && 0 <= \result <= n;
    ensures discarded: Without(b, \result, value);
    ensures placed: \forall integer i; 0 <= i < n && a[i] != value ==> b[Kept(a, i, value)] == a[i]; */
int remove_copy(const int *a, int n, int *b, int value)
{
    int k = 0;
    /*@ loop invariant 0 <= k <= i <= n;
        loop invariant k == Kept{Pre}(a, i, value);
        loop invariant Without(b, k, value);
        loop invariant \forall integer j; 0 <= j < i && a[j] != value ==>
          0 <= Kept(a, j, value) < k && b[Kept(a, j, value)] == a[j];
        loop assigns i, k, b[0 .. n-1];
        loop variant n - i; */
    for (int i = 0; i < n; i++)
        if (a[i] != value)
            b[k++] = a[i];
    return k;
}
