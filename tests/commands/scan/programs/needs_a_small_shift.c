/* The number of bits must be below the width.
   scan: conditional shift 4 */
unsigned bit(unsigned n) {
  return 1u << n;
}
