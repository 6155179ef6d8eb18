/* A tree is built and freed.
   property: valid-memsafety
   answer: true */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct t {
  struct t *l, *r;
  int k;
};
struct t *ins(struct t *t, int k) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) abort();
    t->k = k;
    return t;
  }
  if (k < t->k) t->l = ins(t->l, k);
  else t->r = ins(t->r, k);
  return t;
}

void del(struct t *t) {
  if (!t) return;
  del(t->l);
  del(t->r);
  free(t);
}

int main(void) {
  struct t *r = 0;
  for (int i = 0; i < 3; i++) r = ins(r, __VERIFIER_nondet_int());
  del(r);
  return 0;
}
