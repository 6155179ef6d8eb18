/* What a callback returns is not tested: it is the caller's.
   scan: conditional null-dereference 5
   scan: conditional div-by-zero 6 */
int part(int (*count)(int), int n) {
  int parts = count(n);
  return n / parts;
}
