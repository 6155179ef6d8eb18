/* The length is tested against the other buffer.
   scan: certain out-of-bounds 11 */
#include <string.h>

int checksum(const unsigned char *bytes, unsigned long n) {
  unsigned char small[16], large[64];
  int sum = 0;
  memset(small, 0, sizeof small);
  memset(large, 0, sizeof large);
  if (n > sizeof large) return -1;
  memcpy(small, bytes, n);
  for (int i = 0; i < 16; i++) sum += small[i] + large[i];
  return sum;
}
