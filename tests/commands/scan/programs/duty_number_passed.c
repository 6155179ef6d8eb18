/* One of the calls begins below the table.
   scan: certain out-of-bounds 6 */
static int at(const unsigned char *bits, int first, int (*see)(int)) {
  unsigned char table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  if (!bits || first >= 8) return 0;
  return see(table[first]) & bits[0];
}
int first(const unsigned char *bits, int (*see)(int)) { return see ? at(bits, 0, see) : 0; }
int before(const unsigned char *bits, int (*see)(int)) { return see ? at(bits, -1, see) : 0; }
