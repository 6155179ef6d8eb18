/* There is no last byte of none.
   scan: conditional out-of-bounds 4 */
int last(const unsigned char *buf, unsigned long n) {
  return buf[n - 1];
}
