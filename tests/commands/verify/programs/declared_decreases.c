/* expect: safe */
/*@ assigns \nothing; decreases 0; */
int ext(int x);
/*@ requires n >= 0; assigns \nothing; decreases n + 1; */
int f(int n) { return n == 0 ? ext(n) : f(n - 1); }
