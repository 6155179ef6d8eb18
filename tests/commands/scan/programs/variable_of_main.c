/* A variable of the environment is longer than the path has room for, in a whole program.
   scan: certain out-of-bounds 10 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char path[32];
  const char *home = getenv("HOME");
  if (home != NULL && home[0] == '/')
    sprintf(path, "%s/.toolrc", home);
  return home != NULL;
}
