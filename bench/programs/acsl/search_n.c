/* The first run of a value that is as long as wanted. */
/*@ predicate Constant{L}(int *a, integer from, integer to, integer value) =
      \forall integer i; from <= i < to ==> a[i] == value;
    predicate HasRun{L}(int *a, integer n, integer length, integer value) =
      \exists integer i; 0 <= i && i + length <= n && Constant{L}(a, i, i + length, value); */

/*@ requires n >= 0 && length > 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result >= 0 ==> \result <= n - length && Constant(a, \result, \result + length, value);
    ensures \result >= 0 ==> !HasRun(a, \result + length - 1, length, value);
    ensures \result < 0 ==> !HasRun(a, n, length, value); */
int search_n(const int *a, int n, int length, int value)
{
    int start = 0;
    /*@ loop invariant 0 <= start <= i <= n && i - start < length;
        loop invariant Constant(a, start, i, value);
        loop invariant start > 0 ==> a[start-1] != value;
        loop invariant !HasRun(a, i, length, value);
        loop assigns i, start;
        loop variant n - i; */
    for (int i = 0; i < n; i++) {
        if (a[i] != value)
            start = i + 1;
        else if (i - start + 1 == length)
            return start;
    }
    return -1;
}
