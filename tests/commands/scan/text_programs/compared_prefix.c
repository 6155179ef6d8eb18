/* Only three characters are equal: the second text may be longer.
   scan: certain out-of-bounds 9 */
#include <string.h>

int have_equal_heads(const char *a, const char *b) {
  char copy[4];
  if (strncmp(a, b, 3) != 0 || strlen(a) >= sizeof copy)
    return -1;
  strcpy(copy, b);
  return copy[0];
}
