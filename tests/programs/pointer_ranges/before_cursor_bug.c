/* The cursor of a reader may be at its beginning: nothing is in front of it.
   expect: unsafe
   options: --function before --sizes pair
   native: none (a function that is run alone) */
struct reader { const char *at, *end, *begin; };

long position(struct reader *r) {
  return r->at - r->begin;
}

int before(struct reader *r) {
  if (!r || r->at == r->end || position(r) > 4) return 0;
  return r->at[-1]; /* BUG: out-of-bounds */
}
