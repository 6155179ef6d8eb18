/* A list with links both ways is built and freed.
   property: valid-memsafety
   answer: true */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct d {
  struct d *n, *p;
  int v;
};
int main(void) {
  struct d *h = 0;
  for (int i = 0; i < 4 && __VERIFIER_nondet_int(); i++) {
    struct d *x = malloc(sizeof *x);
    if (!x) abort();
    x->v = i;
    x->p = 0;
    x->n = h;
    if (h) h->p = x;
    h = x;
  }
  while (h) {
    struct d *n = h->n;
    if (n && n->p != h) return 1;
    free(h);
    h = n;
  }
  return 0;
}
