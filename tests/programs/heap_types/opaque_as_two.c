/* What was taken for bytes holds no pointer, and what the C library alone knows is not made up.
   expect: unknown unsupported
   options: --function first
   native: none (a function that is run alone) */
#include <stdio.h>

int first(void *data, FILE *file) {
  unsigned char *bytes = data;
  if (file) return fgetc(file);
  if (!data || bytes[0] != 1) return 0;
  return **(int **)data;
}
