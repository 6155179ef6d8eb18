/* The function itself counts, and may have counted nothing.
   scan: certain div-by-zero 10 */
int average_of_positive(const int *numbers, unsigned long n) {
  int sum = 0, count = 0;
  for (unsigned long i = 0; i < n; i++)
    if (numbers[i] > 0 && numbers[i] < 1000 && count < 1000) {
      sum += numbers[i];
      count++;
    }
  return sum / count;
}
