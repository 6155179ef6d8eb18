/* A size says how many bytes there are behind a pointer. How many lie in front of it, its caller knows.
   scan: conditional out-of-bounds 8 */
int copy_back(const unsigned char *from, unsigned long from_size, unsigned char *to, unsigned long to_size) {
  if (from_size < 2 || to_size < 4 || to_size > 64) return -1;
  unsigned distance = from[0] + 256 * from[1];
  if (distance < 4) return -1;
  const unsigned char *before = to + 3 - distance;
  to[3] = *before;
  return 0;
}
