/* expect: unknown
   open: ensures
   A function that only axioms describe may depend on anything that was written. */
int g;
/*@ axiomatic Weights {
      logic integer Weight{L}(integer n) reads g;
    } */
/*@ assigns g; ensures Weight(1) == Weight{Old}(1); */
void f(void) { g = g ^ 1; }
