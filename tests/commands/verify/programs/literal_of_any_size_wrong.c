/* expect: unsafe */
/*@ assigns \nothing; ensures n * 10 < 100000000000000000000; */
void f(unsigned long n) {}
