/* Equal texts are equally long, and others are not copied.
   scan: nothing */
#include <string.h>

int have_equal_lengths(const char *a, const char *b) {
  char copy[4];
  if (strcmp(a, b) != 0 || strlen(a) >= sizeof copy)
    return -1;
  strcpy(copy, b);
  return copy[0];
}
