/* Whoever makes an error allocates what it holds; that a variable has the same type does not matter.
   scan: conditional null-dereference 10
   scan: conditional invalid-free 11 */
#include <stdlib.h>

static char *names[] = {"a", 0};
struct error { int line; char **expected; };

void error_delete(struct error *error) {
  if (error->line == 0) return;
  free(error->expected);
  free(error);
}

void set_name(char *name) {
  names[0] = name;
}
