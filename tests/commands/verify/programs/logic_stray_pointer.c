/* expect: unknown
   open: ensures
   Nobody knows where the pointer in the struct leads: it may be what is written. */
struct s { int *p; };
/*@ logic integer Sum{L}(int *a, integer n) = n <= 0 ? 0 : Sum{L}(a, n - 1) + a[n-1]; */
/*@ requires \valid(q) && \valid_read(s) && \separated(q, s) && n > 0;
    assigns *q;
    ensures Sum(s->p, n) == Sum{Old}(s->p, n); */
void f(struct s *s, int *q, int n) { *q = 3; }
