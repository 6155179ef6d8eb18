/* A buffer with a size may hold anything.
   scan: certain out-of-bounds 8 */
#include <stddef.h>
static const int counts[4] = {1, 3, 9, 27};

int sum(const unsigned char *bytes, size_t size) {
  int n = 0;
  for (size_t i = 0; i < size; i++) n += counts[bytes[i]];
  return n;
}

int sum_of_three(void) {
  static const unsigned char bytes[3] = {1, 2, 3};
  return sum(bytes, sizeof bytes);
}
