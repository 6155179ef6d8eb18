/* The new file is closed in one case only, and so is one that exists.
   scan: certain leak 7 */
#include <stdio.h>
#include <stdlib.h>
int note(const char *name, int number) {
  if (!name) return -1;
  char *text = malloc(16);
  FILE *file = fopen(name, "w");
  if (!text || !file) goto end;
  fprintf(file, "%d", number);
  if (fclose(file)) goto end;
  return 0;
end:
  free(text);
  return -1;
}
