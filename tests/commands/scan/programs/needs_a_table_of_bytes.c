/* The callee is given a table that the project has made, not text or a buffer with a size.
   scan: conditional out-of-bounds 7 */
static const int counts[4] = {1, 3, 9, 27};

int sum(const unsigned char *lengths) {
  int n = 0;
  for (int i = 0; i < 3; i++) n += counts[lengths[i]];
  return n;
}

int sum_of_three(void) {
  static const unsigned char lengths[3] = {1, 2, 3};
  return sum(lengths);
}
