/* expect: unsafe
   open: disjoint */
/*@ assigns \nothing; behavior a: assumes x >= 0; ensures \result == 1; behavior b: assumes x <= 0; ensures \result == 1; disjoint behaviors; complete behaviors; */
int f(int x) { return 1; }
