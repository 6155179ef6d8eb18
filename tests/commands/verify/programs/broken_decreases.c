/* The measure of the recursion grows when it is odd.
   expect: unsafe
   open: decreases */
/*@ requires 0 <= n <= 100; decreases n; assigns \nothing; ensures \result == 0; */
int f(int n) { return n == 0 ? 0 : n == 7 ? f(8) : f(n - 1); }
