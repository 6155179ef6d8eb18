/* The file that has the name holds anything: more than three characters before the end are too many.
   scan: certain out-of-bounds 12 */
#include <stdio.h>
#include <string.h>
int load(const char *name) {
  if (!name) return -1;
  FILE *file = fopen(name, "r");
  if (!file) return -1;
  char line[8] = "", word[4] = "";
  size_t count = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  if (count && line[0] == '=') strcpy(word, line + 1);
  return word[0];
}
