/* A struct with a pointer to itself is copied.
   property: valid-memsafety
   answer: true */
#include <stdlib.h>
#include <string.h>

struct s {
  char c;
  double d;
  struct s *self;
};
int main(void) {
  struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) abort();
  a->c = 1;
  a->d = 2.5;
  a->self = a;
  memcpy(b, a, sizeof *b);
  memmove(&b->self, &a->self, sizeof b->self);
  if (b->self != a || b->d != 2.5) abort();
  free(b->self);
  free(b);
  return 0;
}
