/* A column of a row of a table that is in the next row.
   scan: certain out-of-bounds 7 */
static const int price_of[3][4] = {{5, 7, 8, 9}, {1, 2, 3, 4}, {6, 6, 6, 6}};

int price(unsigned kind, unsigned size) {
  if (kind >= 3 || size > 4) return -1;
  return price_of[kind][size];
}
