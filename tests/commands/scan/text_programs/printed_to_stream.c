/* Texts of any length are printed, after other text and among it.
   scan: nothing */
#include <stdio.h>

int said(const char *first, const char *second) {
  return printf("hello %s, %s and %s\n", first, second, first);
}
