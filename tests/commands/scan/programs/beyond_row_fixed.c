/* The columns of all rows, one after another, and each by itself.
   scan: nothing certain */
static const int price_of[3][4] = {{5, 7, 8, 9}, {1, 2, 3, 4}, {6, 6, 6, 6}};

int price(unsigned kind, unsigned size) {
  if (kind >= 3 || size >= 4) return -1;
  return price_of[kind][size];
}

int sum(void) {
  const int *all = &price_of[0][0];
  int total = 0;
  for (int i = 0; i < 12; i++) total += all[i];
  return total;
}
