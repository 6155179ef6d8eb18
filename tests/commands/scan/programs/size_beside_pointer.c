/* The size beside the pointer is taken at its word.
   scan: nothing */
int sum(const unsigned char *buf, unsigned long n) {
  int total = 0;
  for (unsigned long i = 0; i < n; i++) total = (total + buf[i]) % 1000;
  return total;
}
