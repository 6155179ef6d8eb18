/* expect: safe
   assumes: the recursion of Bad */
/*@ logic integer Bad(integer n) = Bad(n) + 1; */
/*@ assigns \nothing; ensures Bad(n) == 3; */
void f(int n) {}
