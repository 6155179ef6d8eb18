/* expect: safe
   assumes: the axiom positive */
/*@ axiomatic Weights {
      logic integer Weight{L}(int *a, integer n);
      axiom positive{L}: \forall int *a, integer n; Weight{L}(a, n) > 0;
    } */
/*@ requires \valid_read(a); assigns \nothing; ensures Weight(a, 1) > 0 && \result == 3; */
int f(int *a) { return 3; }
