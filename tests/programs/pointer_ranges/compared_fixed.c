/* The parameter end lies behind the last byte of what at leads to: the two are compared.
   expect: safe
   options: --function checksum --sizes pair 
   native: none (a function that is run alone) */
unsigned checksum(const unsigned char *at, const unsigned char *end) {
  unsigned sum = 0;
  if (end - at > 6) return 0;
  while (at != end) sum = sum * 31 + *at++;
  return sum;
}
