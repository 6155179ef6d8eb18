/* Whether an array is a heap, and the largest element of one. */
/*@ logic integer Parent(integer i) = (i - 1) / 2;
    predicate IsHeap{L}(int *a, integer n) = \forall integer i; 0 < i < n ==> a[i] <= a[Parent(i)]; */

/*@ requires n >= 0 && \valid_read(a + (0 .. n-1));
    assigns \nothing;
    ensures \result <==> IsHeap(a, n); */
int is_heap(const int *a, int n)
{
    int parent = 0;
    /*@ loop invariant 1 <= i && (n > 0 ==> i <= n) && parent == Parent(i) && IsHeap(a, i);
        loop assigns i, parent;
        loop variant n - i; */
    for (int i = 1; i < n; i++) {
        if (a[parent] < a[i])
            return 0;
        if (i % 2 == 0)
            parent++;
    }
    return 1;
}

/*@ requires 0 < n && \valid_read(a + (0 .. n-1)) && IsHeap(a, n);
    assigns \nothing;
    ensures \forall integer i; 0 <= i < n ==> a[i] <= \result; */
int heap_top(const int *a, int n)
{
    /*@ loop invariant 1 <= i && i <= n;
        loop invariant \forall integer k; 0 <= k < i ==> a[k] <= a[0];
        loop assigns i;
        loop variant n - i; */
    for (int i = 1; i < n; i++) {
        //@ assert 0 <= Parent(i) < i && a[i] <= a[Parent(i)];
    }
    return a[0];
}
