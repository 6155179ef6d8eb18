/* An empty line has no last character.
   scan: certain out-of-bounds 10 */
#include <string.h>

void without_newline(const char *given) {
  char line[8];
  if (strlen(given) >= sizeof line)
    return;
  strcpy(line, given);
  if (line[strlen(line) - 1] == '\n')
    line[strlen(line) - 1] = 0;
}
