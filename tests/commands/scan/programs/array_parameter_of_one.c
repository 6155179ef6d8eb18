/* The parameter says that there is one number at least, not that there is no more.
   scan: nothing */
int difference(const int numbers[static 1], int n) {
  return n == 2 ? (numbers[1] & 255) - (numbers[0] & 255) : 0;
}
