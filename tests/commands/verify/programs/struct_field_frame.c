/* expect: unsafe
   open: assigns */
struct s { int key; int tag; };
/*@ requires n >= 1; requires \valid(a + (0 .. n-1)); assigns a[0].key; */
void f(struct s *a, int n) { a[0].tag = 1; }
