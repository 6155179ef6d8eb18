/* That there may be none is asked after the division, and of another number before.
   scan: conditional div-by-zero 7 */
struct cart { int amount, gifts; };

int share(const struct cart *c, int price) {
  if (c == 0) return 0;
  int each = price / c->amount + (c->gifts > 0 ? 1 : 0);
  return each + (c->amount > 0 ? 1 : 0);
}
