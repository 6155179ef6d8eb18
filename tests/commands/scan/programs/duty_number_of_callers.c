/* A private function takes numbers below zero, which it does not test; its only caller does, whatever its user says.
   scan: nothing */
static int at(const unsigned char *bits, int first, int (*see)(int)) {
  unsigned char table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  if (!bits || first >= 8) return 0;
  return see(table[first]) & bits[0];
}
int some(const unsigned char *bits, int (*see)(int)) {
  int first = see ? see(0) : -1;
  return first < 0 ? 0 : at(bits, first, see);
}
