/* A NUL in place of the last character.
   scan: nothing */
#include <string.h>

void without_newline(char *line) {
  size_t n = strlen(line);
  if (n && line[n - 1] == '\n')
    line[n - 1] = 0;
}
