/* A copy is cut at the first '=': its length is the place, and the rest is behind it.
   scan: nothing */
#include <stdlib.h>
#include <string.h>

static void wrong(void) { *(volatile int *)0 = 0; }

void cut(const char *line) {
  char *copy = strdup(line), *end;
  size_t n = strlen(line);
  if (!copy)
    return;
  end = strchr(copy, '=');
  if (end) {
    *end = 0;
    if (strlen(copy) != (size_t)(end - copy) || strlen(end + 1) != n - strlen(copy) - 1 || strchr(copy, '='))
      wrong();
  } else if (strlen(copy) != n)
    wrong();
  free(copy);
}

void tokens(const char *line) {
  char *copy = strdup(line), *first, *second;
  if (!copy)
    return;
  first = strtok(copy, " ");
  second = first ? strtok(0, " ") : 0;
  if (first && (!*first || *first == ' ' || strlen(first) > strlen(line)))
    wrong();
  if (second && (second <= first || !*second))
    wrong();
  free(copy);
}
