/* Copies of a text of any length, by hand and of the copy.
   scan: nothing */
#include <stdlib.h>
#include <string.h>

char *copy(const char *s) {
  size_t n = strlen(s);
  char *p = malloc(n + 1);
  if (p)
    memcpy(p, s, n + 1);
  return p;
}

char *copy_of_copy(const char *s) {
  char *p = strdup(s), *q;
  if (!p)
    return 0;
  q = malloc(strlen(p) + 1);
  if (q)
    strcpy(q, p);
  free(p);
  return q;
}
