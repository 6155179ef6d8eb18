/* The distance of a copy is read from a buffer, and nobody asks whether that much lies behind.
   scan: certain out-of-bounds 8 */
int copy_forward(const unsigned char *from, unsigned long from_size, unsigned char *to, unsigned long to_size) {
  if (from_size < 2 || to_size < 4 || to_size > 64) return -1;
  unsigned distance = from[0] + 256 * from[1];
  if (distance < 4) return -1;
  const unsigned char *behind = to + distance - 4;
  to[3] = *behind;
  return 0;
}
