/* A file that has a name of its own, in a folder of its own.
   expect: unsafe
   options: --libc musl --sym-file etc/town.conf 5
   assumed: nothing
   native: none (asks for symbolic files) */
#include <stdio.h>
#include <string.h>

int main(void) {
  char town[4], line[16];
  FILE *file = fopen("etc/town.conf", "r");
  if (!file || !fgets(line, sizeof line, file)) return 2;
  strcpy(town, line); /* BUG: out-of-bounds */
  fclose(file);
  return 0;
}
