/* The parameter says four numbers, the fifth is read.
   scan: certain out-of-bounds 4 */
int fifth(const int numbers[static 4]) {
  return numbers[4];
}
