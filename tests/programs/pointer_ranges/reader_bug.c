/* The second of two bytes is taken from a reader that may have one.
   expect: unsafe
   options: --function word --sizes pair
   native: none (a function that is run alone) */
struct reader { const unsigned char *at, *end; int line; };

int word(struct reader *r) {
  if (!r || r->at >= r->end) return -1;
  int high = *r->at++;
  return high << 8 | *r->at++; /* BUG: out-of-bounds */
}
