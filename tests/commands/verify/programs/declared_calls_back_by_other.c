/* expect: unknown
   says: does not say what decreases
   options: --max-time 2 */
/*@ assigns \nothing; decreases 0; */
int ext(int x);
/*@ assigns \nothing; */
int g(int x) { return ext(x); }
/*@ requires n >= 0; assigns \nothing; decreases n + 1; */
int f(int n) { return n == 0 ? g(n) : f(n - 1); }
