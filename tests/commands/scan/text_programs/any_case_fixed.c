/* Texts that are equal but for the case of their letters are equally long.
   scan: nothing */
#include <string.h>
#include <strings.h>

static void wrong(void) { *(volatile int *)0 = 0; }

int have_equal_lengths(const char *a, const char *b) {
  char copy[4];
  if (strcasecmp(a, b) != 0 || strlen(a) >= sizeof copy)
    return -1;
  strcpy(copy, b);
  if (a[0] == 'x' && b[0] != 'x' && b[0] != 'X')
    wrong();
  return copy[0];
}
