/* expect: unknown
   says: the argument n of Half may not fit in 32 bits */
/*@ logic integer Half(int n) = n / 2; */
/*@ assigns \nothing; ensures Half(n + 1) <= Half(n) + 1; */
void f(int n) {}
