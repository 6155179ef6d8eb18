/* expect: unknown
   open: decreases
   What is called might call f again, but nobody knows: that its number is not less is no counterexample. */
/*@ requires n >= 0; assigns \nothing; decreases n; */
int ext(int n);
/*@ requires n >= 0; assigns \nothing; decreases n; */
int f(int n) { return ext(n); }
