/* expect: safe
   assumes: the values of Power */
/*@ logic integer Power(integer n) = n <= 0 ? 1 : 2 * Power(n - 1); */
/*@ requires 0 < n; assigns \nothing; ensures Power(n) == 2 * Power(n - 1) && Power(5) == 32; */
void f(int n) {}
