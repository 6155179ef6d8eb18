/* A NUL in place of the last character of a copy.
   scan: nothing */
#include <string.h>

char *without_newline(const char *line) {
  char *copy = strdup(line);
  size_t n;
  if (!copy)
    return 0;
  n = strlen(copy);
  if (n && copy[n - 1] == '\n')
    copy[n - 1] = 0;
  return copy;
}
