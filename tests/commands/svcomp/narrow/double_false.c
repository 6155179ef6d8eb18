/* A block may be freed twice.
   property: valid-memsafety
   answer: false(valid-free) */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct h {
  void *a, *b;
};
int main(void) {
  struct h h;
  h.a = malloc(8);
  h.b = __VERIFIER_nondet_int() ? h.a : malloc(4);
  free(h.a);
  free(h.b);
  return 0;
}
