/* expect: unknown
   open: unreachable */
/*@ assigns \nothing; */
_Noreturn void stop(int x);
/*@ assigns \nothing; */
void f(int x) { stop(x); }
