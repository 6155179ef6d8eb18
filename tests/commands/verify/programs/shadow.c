/* expect: unsafe */
int x;
/*@ requires x == 5; assigns x; ensures x == 5; */
void f(int n) { { int x = 5; (void)x; } x = n; }
