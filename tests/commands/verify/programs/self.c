/* expect: unknown
   says: n->next and n may lead to the same memory */
struct node { int v; struct node *next; };
/*@ requires \valid(n) && \valid(n->next); assigns n->v, n->next->v; ensures n->v == 1; */
void f(struct node *n) { n->v = 1; n->next->v = 2; }
