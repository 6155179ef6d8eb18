/* What the caller passes is copied into a local of the function, as much of it as there is.
   scan: certain out-of-bounds 7 */
#include <string.h>

unsigned sum_of(const unsigned char *bytes, size_t size) {
  unsigned char copy[8] = {0};
  memcpy(copy, bytes, size);
  unsigned sum = 0;
  for (int at = 0; at < 8; at++) sum += copy[at];
  return sum;
}
