/* The parameter says four numbers.
   scan: nothing */
int fourth(const int numbers[static 4]) {
  return numbers[3];
}
