/* The same, but the caller passes what a buffer holds.
   scan: certain out-of-bounds 6 */
static int at(const signed char *bits, int first, int (*see)(int)) {
  unsigned char table[8] = {1, 2, 4, 8, 16, 32, 64, 128};
  if (!bits || first >= 8) return 0;
  return see(table[first]) & bits[0];
}
int some(const signed char *bits, unsigned long size, int (*see)(int)) {
  return bits && see && size ? at(bits, bits[0], see) : 0;
}
