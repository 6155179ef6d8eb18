/* The same copy, but another function of the project passes the text: it knows that there is a character.
   scan: conditional out-of-bounds 11 */
#include <string.h>

int ends_line(const char *s) {
  char line[8];
  if (s == 0)
    return 0;
  strncpy(line, s, sizeof line - 1);
  line[sizeof line - 1] = 0;
  return line[strlen(line) - 1] == '\n';
}

int is_line(void) {
  return ends_line("a line\n");
}
