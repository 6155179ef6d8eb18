/* expect: unknown
   says: n->next and n may lead to the same memory */
struct node { int v; struct node *next; };
/*@ requires \valid(n); requires n->next == \null || \valid(n->next); assigns *n; ensures n->v == 1; */
void f(struct node *n) { n->v = 1; if (n->next) n->next->v = 2; }
