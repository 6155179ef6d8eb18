/* The cursor of a reader is tested against its beginning, before the character in front of it is read.
   expect: safe
   options: --function before --sizes pair
   native: none (a function that is run alone) */
struct reader { const char *at, *end, *begin; };

long position(struct reader *r) {
  return r->at - r->begin;
}

int before(struct reader *r) {
  if (!r || r->at == r->end || position(r) < 1) return 0;
  return r->at[-1];
}
