/* An array of strings grows.
   property: valid-memsafety
   answer: true */
#include <stdlib.h>
#include <string.h>

int main(void) {
  int cap = 1, n = 0;
  char **v = malloc(sizeof *v);
  if (!v) abort();
  for (int i = 0; i < 5; i++) {
    if (n == cap) {
      cap *= 2;
      char **w = realloc(v, cap * sizeof *v);
      if (!w) abort();
      v = w;
    }
    v[n++] = strdup("abc");
  }
  for (int i = 0; i < n; i++) {
    if (v[i] && strcmp(v[i], "abc")) abort();
    free(v[i]);
  }
  free(v);
  return 0;
}
