/* The size is beside the pointer, but nothing was asked of it.
   scan: conditional out-of-bounds 4 */
int fourth(const unsigned char *buf, unsigned long n) {
  return n > 100 ? -1 : buf[3];
}
