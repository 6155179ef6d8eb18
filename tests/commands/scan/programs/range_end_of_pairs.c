/* Two bytes a turn are taken of a range: its caller may see to it that there is an even number of them.
   scan: conditional out-of-bounds 7 */
unsigned pairs(const unsigned char *at, const unsigned char *end) {
  unsigned sum = 0;
  if (end - at > 6) return 0;
  for (; at < end; at += 2)
    sum += at[0] << 8 | at[1];
  return sum;
}
