/* Of names that begin with a slash, none leads to a file here: what follows is looked at all the same.
   scan: certain out-of-bounds 9 */
#include <stdio.h>
int load(const char *name, unsigned count) {
  int seen[10] = {0};
  if (!name || name[0] != '/' || count > 10) return 0;
  FILE *file = fopen(name, "r");
  if (file) fclose(file);
  seen[count] = 1;
  return seen[0];
}
