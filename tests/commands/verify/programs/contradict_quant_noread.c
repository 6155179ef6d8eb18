/* What is required cannot be of any element, and nothing reads one.
   expect: unknown */
/*@ requires n >= 5 && \valid(a + (0 .. n-1)); requires \forall integer k; 0 <= k < n ==> a[k] > 0; requires \forall integer k; 0 <= k < n ==> a[k] < 0;
  assigns \nothing; ensures a[3] == 1; */
int f(int *a, int n) { return 0; }
