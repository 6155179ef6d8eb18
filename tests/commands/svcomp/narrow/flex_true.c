/* Pointers lie at the end of a struct.
   property: valid-memsafety
   answer: true */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct s {
  unsigned n;
  int *p[];
};
int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 5;
  struct s *s = malloc(sizeof *s + n * sizeof(int *));
  if (!s) abort();
  s->n = n;
  for (unsigned i = 0; i < n; i++) {
    s->p[i] = malloc(sizeof(int));
    if (!s->p[i]) abort();
    *s->p[i] = i;
  }
  for (unsigned i = 0; i < s->n; i++) free(s->p[i]);
  free(s);
  return 0;
}
