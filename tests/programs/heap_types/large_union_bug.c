/* A union of structs holds, at each offset, what it is first read as there.
   expect: unsafe
   options: --function size
   native: none (a function that is run alone) */
#include "unfork.h"

struct value {
  int type;
  union {
    const char *text;
    struct { const char **keys; struct value **values; unsigned long count; } object;
    struct { long number; double exact; } number;
  } u;
};

int size(struct value *v) {
  static const int sizes[4] = {1, 2, 3, 4};
  if (!v) return 0;
  if (v->type == 1) return v->u.text[0]; /* BUG: null-dereference */
  if (v->type == 2) {
    if (v->u.object.count > 4) return 0;
    if (v->u.object.keys) return sizes[v->u.object.count]; /* BUG: out-of-bounds */
    return 0;
  }
  unfork_check(v->u.number.number != 99); /* BUG: assert */
  return 1;
}
