/* expect: unknown
   says: does not say what decreases
   options: --max-time 2 */
/*@ assigns \nothing; */
int ext(int x);
/*@ requires n >= 0; assigns \nothing; decreases n; */
int f(int n) { return n == 0 ? ext(n) : f(n - 1); }
