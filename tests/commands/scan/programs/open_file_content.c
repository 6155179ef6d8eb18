/* The caller opened the file, which may hold anything.
   scan: certain leak 7 */
#include <stdlib.h>
#include <unistd.h>

char *first_line(int file) {
  char *line = malloc(16);
  if (!line) return NULL;
  if (read(file, line, 15) != 15) {
    free(line);
    return NULL;
  }
  line[15] = '\0';
  if (line[0] != '#') return NULL;
  return line;
}
