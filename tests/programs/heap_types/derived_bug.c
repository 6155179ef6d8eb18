/* What a pointer to a base leads to is as large as what the code casts it to; what was read of the base stays.
   expect: unsafe
   options: --function weight
   native: none (a function that is run alone) */
struct shape { int kind; struct shape *next; };
struct circle { struct shape shape; unsigned radius; const char *name; };
struct box { struct shape shape; int sides[4]; };

int weight(struct shape *s) {
  static const int weights[4] = {1, 2, 3, 4};
  if (!s) return 0;
  if (s->kind == 1) {
    struct circle *c = (struct circle *)s;
    if (c->radius > 4 || !c->name) return 0;
    return weights[c->radius]; /* BUG: out-of-bounds */
  }
  if (s->kind == 2) return ((struct box *)s)->sides[3] == 8 ? 10 / s->next->kind : 1; /* BUG: div-by-zero, null-dereference */
  return 2;
}
