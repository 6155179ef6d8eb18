/* Names are equal but for the case of their letters.
   scan: certain out-of-bounds 10 */
#include <string.h>
#include <strings.h>

int have_equal_heads(const char *a, const char *b) {
  char copy[4];
  if (strncasecmp(a, b, 3) != 0 || strlen(a) >= sizeof copy)
    return -1;
  strcpy(copy, b);
  return copy[0];
}
