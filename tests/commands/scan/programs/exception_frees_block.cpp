/* A digit that is none throws, and the owner of the block frees it.
   scan: nothing certain */
#include <memory>
#include <stdexcept>

static int digit(char c) {
  if (c < '0' || c > '9')
    throw std::invalid_argument("no digit");
  return c - '0';
}

int checksum(char first, char second) {
  std::unique_ptr<int[]> digits(new int[2]);
  digits[0] = digit(first);
  digits[1] = digit(second);
  return digits[0] * 3 + digits[1];
}
