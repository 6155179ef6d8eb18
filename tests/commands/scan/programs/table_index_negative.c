/* An index of the caller's is only tested for large values: it may be in front of the table.
   scan: likely out-of-bounds 8 */
static const int weights[8] = {1, 1, 2, 3, 5, 8, 13, 21};

int weight(int kind) {
  if (kind > 7)
    return 0;
  return weights[kind];
}
