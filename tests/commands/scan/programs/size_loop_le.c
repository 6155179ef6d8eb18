/* The loop goes one too far over a buffer whose size is beside it.
   scan: certain out-of-bounds 5 */
int sum(const unsigned char *buf, unsigned long n) {
  int total = 0;
  for (unsigned long i = 0; i <= n; i++) total = (total + buf[i]) % 1000;
  return total;
}
