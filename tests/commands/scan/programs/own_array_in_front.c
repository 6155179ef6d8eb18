/* The function takes the last character off its own copy of a text, which may be empty.
   scan: certain out-of-bounds 11 */
#include <string.h>

int ends_line(const char *s) {
  char line[8];
  if (s == 0)
    return 0;
  strncpy(line, s, sizeof line - 1);
  line[sizeof line - 1] = 0;
  return line[strlen(line) - 1] == '\n';
}
