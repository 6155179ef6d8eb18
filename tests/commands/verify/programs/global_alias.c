/* The pointer may lead to the variable.
   expect: unsafe */
int g;
/*@ requires \valid(p); assigns *p, g; ensures g == 1; */
void f(int *p) { g = 1; *p = 2; }
