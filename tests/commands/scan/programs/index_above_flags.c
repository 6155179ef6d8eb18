/* An index lies above some flags in a header, which is tested for too large values, but not for the first of these.
   scan: certain out-of-bounds 11 */
struct node {
  unsigned long header;
};

int value_of(const struct node *node) {
  static const int table[4] = {1, 3, 9, 27};
  if ((node->header & 32) == 0 || node->header >= 5 << 8)
    return 0;
  return table[node->header >> 8];
}
