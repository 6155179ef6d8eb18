/* A shift by the width itself is let through.
   scan: certain shift 5 */
unsigned mask(unsigned bits) {
  if (bits > 32) return 0;
  return (1u << bits) - 1;
}
