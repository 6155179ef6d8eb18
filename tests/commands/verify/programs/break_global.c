/* expect: unsafe */
int g;
/*@ requires n >= 1; assigns g; ensures g == \old(g); */
void f(int n) {
  /*@ loop invariant 0 <= i <= n; loop assigns i; loop variant n - i; */
  for (int i = 0; i < n; i++) { if (i == 3) { g = 4; goto out; } }
out: ;
}
