/* Two bytes a turn are read of a range that may have an odd number of them.
   expect: unsafe
   options: --function pairs --sizes pair 
   native: none (a function that is run alone) */
unsigned pairs(const unsigned char *at, const unsigned char *end) {
  unsigned sum = 0;
  if (end - at > 6) return 0;
  for (; at < end; at += 2) sum += at[0] << 8 | at[1]; /* BUG: out-of-bounds */
  return sum;
}
