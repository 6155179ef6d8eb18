/* expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

struct packet {
  unsigned length;
  unsigned char data[];
};

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 4);
  struct packet *p = malloc(sizeof *p + n);
  p->length = n;
  for (unsigned i = 0; i < p->length; i++) p->data[i] = (unsigned char)(i + 1);
  assert(p->data[n - 1] == n);
  free(p);
  return 0;
}
