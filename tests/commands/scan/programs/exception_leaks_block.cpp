/* A digit that is none throws past the delete[] of the block.
   scan: certain leak 12 */
#include <stdexcept>

static int digit(char c) {
  if (c < '0' || c > '9')
    throw std::invalid_argument("no digit");
  return c - '0';
}

int checksum(char first, char second) {
  int *digits = new int[2];
  digits[0] = digit(first);
  digits[1] = digit(second);
  int sum = digits[0] * 3 + digits[1];
  delete[] digits;
  return sum;
}
