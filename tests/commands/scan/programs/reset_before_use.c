/* A function that gives up what another one set up, and then uses it.
   scan: certain null-dereference 15 */
#include <stdlib.h>

static int *last;

int keep(int value) {
  if (!last) last = malloc(sizeof *last);
  return last ? (*last = value) : -1;
}

int drop(void) {
  free(last);
  last = NULL;
  return *last;
}
