/* Copying, computing, passing and returning what nobody wrote matters to nobody, nor do bits that are masked out.
   expect: safe
   options: --check memory,div,uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include <string.h>
#include <unistd.h>
#include "unfork.h"

struct padded { char small; long large; };

static int twice(int number) { return number + number; }

int main(void) {
  char bytes[8], other[8];
  int number;
  unsigned char c;
  size_t length;
  unfork_symbolic(&c, 1, "c");
  memcpy(other, bytes, sizeof other);
  struct padded pair = {1, 2}, again = pair;
  assert(again.small + again.large == 3);
  int sum = twice(number) + 3;
  sum ^= sum;
  if (sum != 0 || ((number | 255) & 255) != 255) return 1;
  if ((unsigned)number * (unsigned)number % 4 == 2) return 2;
  other[0] = other[1] = 'a';
  if (write(1, other, 2) != 2) return 3;
  memmove(other, bytes, length & 0);
  int value = c < 3 ? number : 9;
  if (c > 10 && value == 8) return 4;
  return c == 50 ? value : 0;
}
