/* There is no room for the separator, or for the NUL after a suffix.
   scan: certain out-of-bounds 13
   scan: certain out-of-bounds 22 */
#include <stdlib.h>
#include <string.h>

char *join(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  char *p = malloc(n + m + 1);
  if (!p)
    return 0;
  memcpy(p, a, n);
  p[n] = '/', strcpy(p + n + 1, b);
  return p;
}

char *with_suffix(const char *s) {
  char *p = malloc(strlen(s) + 4);
  if (!p)
    return 0;
  strcpy(p, s);
  return strcat(p, ".txt");
}
