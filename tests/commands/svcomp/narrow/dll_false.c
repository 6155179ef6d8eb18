/* The last node of a freed list is read.
   property: valid-memsafety
   answer: false(valid-deref) */
#include <stdlib.h>

struct d {
  struct d *n, *p;
  int v;
};
int main(void) {
  struct d *h = 0, *t = 0;
  for (int i = 0; i < 3; i++) {
    struct d *x = malloc(sizeof *x);
    if (!x) abort();
    x->v = i;
    x->p = 0;
    x->n = h;
    if (h) h->p = x;
    else t = x;
    h = x;
  }
  while (h) {
    struct d *n = h->n;
    free(h);
    h = n;
  }
  return t->p != 0;
}
