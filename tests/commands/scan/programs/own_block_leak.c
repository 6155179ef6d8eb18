/* One error path forgets the block.
   scan: certain leak 7 */
#include <stdlib.h>
#include <string.h>

int same_reversed(const char *s, unsigned char n) {
  char *copy = malloc(n + 1ul);
  int same;
  if (copy == NULL) return -1;
  for (unsigned i = 0; i < n; i++) {
    if (s[i] == 0) return -1;
    copy[n - 1 - i] = s[i];
  }
  same = memcmp(copy, s, n) == 0;
  free(copy);
  return same;
}
