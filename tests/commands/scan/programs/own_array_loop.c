/* As many squares as the caller wants, in an array of sixteen.
   scan: certain out-of-bounds 6 */
int sum_of_squares(unsigned n) {
  int squares[16];
  int sum = 0;
  for (unsigned i = 0; i < n; i++) squares[i] = (int)(i % 10 * (i % 10));
  for (unsigned i = 0; i < n; i++) sum += squares[i];
  return sum;
}
