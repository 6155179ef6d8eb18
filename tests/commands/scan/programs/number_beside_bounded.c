/* One position is compared with another, which is compared with the size of the table, but one too far.
   scan: certain out-of-bounds 9 */
static const int table[16] = {1, 2, 3};

int between(int first, int last) {
  if (first < 0 || last > 16 || first > last) {
    return 0;
  }
  return table[first];
}
