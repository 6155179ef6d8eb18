/* expect: safe */
/*@ requires \valid(p); assigns *p; ensures 0 <= *p < 10; */
void ext(int *p);
/*@ assigns \nothing; ensures 0 <= \result < 100; */
int f(void) { int x, y = 5; ext(&x); ext(&y); return 10 * x + y; }
