/* A cursor is passed by its address, and only the first byte is compared with the end.
   expect: unsafe
   options: --function size --sizes pair
   native: none (a function that is run alone) */
long size(const unsigned char **at, const unsigned char *end) {
  if (!at || *at >= end) return -1;
  long size = 0;
  for (int shift = 0, byte = 128; byte & 128 && shift < 21; shift += 7) {
    byte = *(*at)++; /* BUG: out-of-bounds */
    size |= (long)(byte & 127) << shift;
  }
  return size;
}
