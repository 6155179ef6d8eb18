/* Two pointers in a struct may lead to one place.
   expect: unknown
   says: s->p and s->q may lead to the same memory */
struct s { int *p; int *q; };
/*@ requires \valid(s) && \valid(s->p) && \valid(s->q); assigns *s->p, *s->q; ensures *s->p == 1; */
void f(struct s *s) { *s->p = 1; *s->q = 2; }
