/* Each function falls back on the other, and nothing decreases.
   expect: unsafe */
int g(int n);
/*@ requires n >= 0; decreases n; assigns \nothing; ensures \result == 42; */
int f(int n) { return g(n); }
/*@ requires n >= 0; decreases n; assigns \nothing; ensures \result == 42; */
int g(int n) { return f(n); }
