/* expect: unsafe */
union u { int i; float f; };
/*@ requires \valid(u); assigns u->i; ensures u->i == \old(u->i); */
void f(union u *u) { u->i = 3; }
