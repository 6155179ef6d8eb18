/* Whatever the file holds, no more of it is copied than there is room for.
   scan: nothing */
#include <stdio.h>
#include <string.h>
int load(const char *name) {
  if (!name) return -1;
  FILE *file = fopen(name, "r");
  if (!file) return -1;
  char line[8] = "", word[4] = "";
  size_t count = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  if (count && line[0] == '=') strncat(word, line + 1, 3);
  return word[0];
}
