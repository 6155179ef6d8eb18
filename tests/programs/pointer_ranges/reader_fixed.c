/* Members that bound a range: the code compares them, and one moves.
   expect: safe
   options: --function word --sizes pair
   native: none (a function that is run alone) */
struct reader { const unsigned char *at, *end; int line; };

static int next(struct reader *r) {
  if (r->at == r->end) return -1;
  return *r->at++;
}

int word(struct reader *r) {
  if (!r) return 0;
  int high = next(r), low = next(r);
  return high < 0 || low < 0 ? -1 : high << 8 | low;
}
