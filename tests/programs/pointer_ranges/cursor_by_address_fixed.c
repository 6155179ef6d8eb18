/* A cursor is passed by its address, beside the end.
   expect: safe
   options: --function size --sizes pair
   native: none (a function that is run alone) */
static int take(const unsigned char **at, const unsigned char *end) {
  return *at < end ? *(*at)++ : -1;
}

long size(const unsigned char **at, const unsigned char *end) {
  if (!at) return -1;
  long size = 0;
  for (int shift = 0, byte = 128; byte & 128 && shift < 21; shift += 7) {
    byte = take(at, end);
    if (byte < 0) return -1;
    size |= (long)(byte & 127) << shift;
  }
  return size;
}
