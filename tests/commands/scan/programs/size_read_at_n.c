/* The size is beside the pointer; the byte behind the last is read.
   scan: certain out-of-bounds 5 */
int last(const char *buf, unsigned long n) {
  if (n == 0) return -1;
  return buf[n];
}
