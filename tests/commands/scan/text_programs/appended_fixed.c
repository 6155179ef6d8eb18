/* At most some characters of a text are appended to a copy of another.
   scan: nothing */
#include <stdlib.h>
#include <string.h>

char *append(size_t n, const char *a, const char *b) {
  char *p = malloc(strlen(a) + strnlen(b, n) + 1);
  if (!p)
    return 0;
  strcpy(p, a);
  return strncat(p, b, n);
}

char *first(size_t n, const char *s) {
  char *p = strndup(s, n);
  if (p && strlen(p) > n)
    *(volatile int *)0 = 0;
  return p;
}
