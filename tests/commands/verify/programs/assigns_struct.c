/* expect: unsafe */
struct s { int a, b; };
/*@ requires \valid(s); assigns *s; ensures s->a == 1; */
void h(struct s *s) { s->a = 1; s->b = 8; }
/*@ requires \valid(s) && s->b == 3; assigns *s; ensures s->b == 3; */
void f(struct s *s) { h(s); }
