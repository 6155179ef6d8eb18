/* Four bytes are asked for before the fourth is read.
   scan: nothing */
int fourth(const unsigned char *buf, unsigned long n) {
  if (n < 4) return -1;
  return buf[3];
}
