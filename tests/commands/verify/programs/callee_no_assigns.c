/* expect: unsafe */
int g;
/*@ ensures \result == 1; */
int h(void) { g = 5; return 1; }
/*@ assigns g; ensures g == \old(g); */
void f(void) { h(); }
