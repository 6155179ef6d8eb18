/* expect: safe */
int total;
/*@ requires total < 1000; assigns total; ensures \old(total) <= total <= \old(total) + 1; */
void ext(void);
/*@ requires 0 <= n <= 1000 && total == 0; assigns total; ensures total <= n; */
void f(int n) {
    /*@ loop invariant 0 <= i <= n && 0 <= total <= i; loop assigns i, total; loop variant n - i; */
    for (int i = 0; i < n; i++) ext();
}
