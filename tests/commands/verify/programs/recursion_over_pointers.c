/* expect: safe
   assumes: the recursion of Odd
   That a pointer is not null must not end a recursion. */
/*@ logic integer Odd(int *p, integer n) = p == \null ? Odd(p, n) + 1 : n; */
/*@ assigns \nothing; ensures \result == 1; */
int f(void) { return 1; }
