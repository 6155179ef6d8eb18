/* The text must end somewhere.
   scan: conditional out-of-bounds 5 */
unsigned long length_of(const char *s) {
  unsigned long n = 0;
  while (s[n] != 0) n++;
  return n;
}
