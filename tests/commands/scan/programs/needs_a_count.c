/* The stack grows by nine: what is on it was counted before, and is not less than nothing.
   scan: conditional null-dereference 10
   scan: conditional out-of-bounds 15 */
#include <stdlib.h>

struct task { int kind; };
struct reader { struct task **task; int tasks; };

int grow(struct reader *r) {
  int wanted = r->tasks + 9;
  struct task **more = realloc(r->task, sizeof *more * wanted);
  if (more == NULL) return -1;
  r->task = more;
  for (; r->tasks < wanted; r->tasks++)
    r->task[r->tasks] = calloc(1, sizeof **more);
  return 0;
}
