/* expect: unsafe */
int g;
/*@ assigns \nothing; ensures \result == g; */
int h(void) { g++; return g; }
/*@ requires g < 100; assigns \nothing; ensures g == \old(g); */
void f(void) { h(); }
