/* The destination must be as large as the source says.
   scan: conditional out-of-bounds 6 */
#include <string.h>

void copy(char *to, const char *from, unsigned long n) {
  memcpy(to, from, n);
}
