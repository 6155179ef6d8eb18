/* Two registers carry it.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

struct point { int x, y; };
static struct point turned(struct point p) { return (struct point){-p.y, p.x}; }

int main(void) {
  struct point p;
  unfork_symbolic(&p, sizeof p, "p");
  unfork_assume(p.x > -1000 && p.x < 1000 && p.y > -1000 && p.y < 1000);
  struct point q = turned(turned(p));
  assert(q.x == -p.x);
  assert(q.y == -p.y);
  return 0;
}
