/* There is no room for the NUL after the suffix.
   scan: certain out-of-bounds 13 */
#include <stdlib.h>
#include <string.h>

char *catenated(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 5);
  if (!path)
    return 0;
  strcpy(path, folder);
  strcat(path, "/");
  strcat(path, name);
  return strcat(path, ".txt");
}
