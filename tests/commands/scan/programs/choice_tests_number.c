/* The choice asks whether there are any, and divides by what it takes for none: zero.
   scan: certain div-by-zero 7 */
struct cart { int amount; };

int share(const struct cart *c, int price) {
  if (c == 0) return 0;
  return price / (c->amount > 0 ? 1 : 0);
}
