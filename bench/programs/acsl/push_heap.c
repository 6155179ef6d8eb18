/* The last element of an array is moved up to where it belongs in the heap before it. */
/*@ logic integer Parent(integer i) = (i - 1) / 2;
    predicate IsHeap{L}(int *a, integer n) = \forall integer i; 0 < i < n ==> a[i] <= a[Parent(i)];
    predicate IsHeapButFor{L}(int *a, integer n, integer hole, integer value) =
      (\forall integer i; 0 < i < n && i != hole ==> a[i] <= a[Parent(i)]) &&
      (\forall integer i; 0 < i < n && Parent(i) == hole ==> a[i] <= value) &&
      (\forall integer i; 0 < i < n && Parent(i) == hole && hole > 0 ==> a[i] <= a[Parent(hole)]); */

/*@ requires 0 < n && \valid(a + (0 .. n-1)) && IsHeap(a, n - 1);
    assigns a[0 .. n-1];
    ensures IsHeap(a, n); */
void push_heap(int *a, int n)
{
    int value = a[n - 1], hole = n - 1;
    /*@ loop invariant 0 <= hole < n && IsHeapButFor(a, n, hole, value);
        loop assigns hole, a[0 .. n-1];
        loop variant hole; */
    while (hole > 0 && a[(hole - 1) / 2] < value) {
        a[hole] = a[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    a[hole] = value;
}
