/* expect: safe
   Predicates with labels, of which two have one name, and arguments that are values where they are applied. */
int limit = 5;
/*@ predicate Same{K, L}(int *a, integer from, integer to) =
      \forall integer i; from <= i < to ==> \at(a[i], K) == \at(a[i], L);
    predicate Same{K, L}(int *a, integer to) = Same{K, L}(a, 0, to);
    predicate Same(integer left, integer right) = left == right;
    logic integer Limit{L}(integer more) = limit + more;
    predicate Sorted{L}(int *a, integer n) = \forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]; */
/*@ requires n > 1 && \valid(a + (0 .. n-1)) && Sorted(a, n) && limit == 5;
    assigns a[n-1];
    ensures Same{Pre, Post}(a, n - 1) && Sorted(a, n) && Same(\result, Limit(1)) && Limit{Old}(0) == 5; */
int f(int *a, int n) {
  int limit = 6;
  if (a[n - 1] < 1000)
    a[n - 1]++;
  return limit;
}
