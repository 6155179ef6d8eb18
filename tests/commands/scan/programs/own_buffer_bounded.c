/* snprintf and a test of the length keep to the buffers.
   scan: nothing */
#include <stdio.h>
#include <string.h>

int is_reserved(const char *name, unsigned long n, int value) {
  char line[16], copy[8];
  if (n >= sizeof copy) return 0;
  memcpy(copy, name, n);
  copy[n] = 0;
  snprintf(line, sizeof line, "%d", value);
  return copy[0] == '_' && line[0] == '1';
}
