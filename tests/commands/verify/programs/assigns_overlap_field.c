/* expect: unsafe */
struct s { int a, b; };
/*@ requires \valid(s); assigns s->a; ensures s->a == 1; */
void h(struct s *s) { s->a = 1; }
/*@ requires \valid(s) && s->b == 3; assigns s->a, s->b; ensures s->b == 4; */
void f(struct s *s) { h(s); }
