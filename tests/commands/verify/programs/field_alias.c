/* One pointer may lead to a field of what the other leads to.
   expect: unknown
   says: s and x may lead to the same memory */
struct s { int a; int b; };
/*@ requires \valid(s) && \valid(x); assigns s->a, *x; ensures s->a == 1; */
void f(struct s *s, int *x) { s->a = 1; *x = 2; }
