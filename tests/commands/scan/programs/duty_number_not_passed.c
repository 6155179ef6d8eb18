/* All calls begin at constants within the table; only a number below zero, which is tested, is outside.
   scan: nothing */
static int at(const unsigned char *bits, int first, int (*see)(int)) {
  unsigned char table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  if (!bits || first >= 8) return 0;
  return see(table[first]) & bits[0];
}
int first(const unsigned char *bits, int (*see)(int)) { return see ? at(bits, 0, see) : 0; }
int fourth(const unsigned char *bits, int (*see)(int)) { return see ? at(bits, 3, see) : 0; }
