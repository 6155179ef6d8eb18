/* The room in a number was counted before it grows, and is not less than nothing.
   scan: conditional null-dereference 8
   scan: conditional out-of-bounds 13 */
#include <stdlib.h>
struct number { int room; unsigned long *digits; };

int grow(struct number *a, short size) {
  if (a->room >= size) return 0;
  unsigned long *more = realloc(a->digits, sizeof *more * size);
  if (more == NULL) return -1;
  a->digits = more;
  for (; a->room < size; a->room++)
    a->digits[a->room] = 0;
  return 0;
}
