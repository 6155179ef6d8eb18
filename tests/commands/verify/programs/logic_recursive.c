/* expect: safe
   A recursive function, with a lemma that takes an induction. */
/*@ logic integer Count{L}(int *a, integer n, int value) =
      n <= 0 ? 0 : Count{L}(a, n - 1, value) + (a[n-1] == value ? 1 : 0);
    lemma bounds{L}: \forall int *a, integer n, int value; 0 <= n ==> 0 <= Count{L}(a, n, value) <= n;
    lemma unchanged{K, L}: \forall int *a, integer n, int value;
      (\forall integer i; 0 <= i < n ==> \at(a[i], K) == \at(a[i], L)) ==>
      Count{K}(a, n, value) == Count{L}(a, n, value); */
/*@ requires n > 0 && \valid(a + (0 .. n-1));
    assigns a[n-1];
    ensures Count(a, n - 1, value) == Count{Old}(a, n - 1, value);
    ensures Count(a, n, value) <= n; */
void f(int *a, int n, int value) { a[n - 1] = 3; }
