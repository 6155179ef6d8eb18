/* The only link to a node may be cut.
   property: valid-memsafety
   answer: false(valid-memtrack) */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct t {
  struct t *l, *r;
  int k;
};
int main(void) {
  struct t *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
  if (!a || !b) abort();
  a->l = b;
  b->r = 0;
  int k = __VERIFIER_nondet_int();
  if (k == 7) a->l = 0;
  else free(b);
  free(a);
  return 0;
}
