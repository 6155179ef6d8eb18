/* A path is made of a folder, a slash, and a name: its length is that of all.
   scan: nothing */
#include <stdlib.h>
#include <string.h>

static void wrong(void) { *(volatile int *)0 = 0; }

char *catenated(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 6);
  if (!path)
    return 0;
  strcpy(path, folder);
  strcat(path, "/");
  strcat(path, name);
  strcat(path, ".txt");
  if (strlen(path) != strlen(folder) + strlen(name) + 5)
    wrong();
  return path;
}

char *copied(const char *folder, const char *name) {
  size_t n = strlen(folder), m = strlen(name);
  char *path = malloc(n + m + 2);
  if (!path)
    return 0;
  memcpy(path, folder, n);
  path[n] = '/';
  strcpy(path + n + 1, name);
  if (strlen(path) != n + m + 1)
    wrong();
  return path;
}
