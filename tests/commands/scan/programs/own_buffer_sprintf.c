/* A line of a fixed size takes a key of any length.
   scan: certain out-of-bounds 8 */
#include <stdio.h>
#include <string.h>

unsigned long width(const char *key, int value) {
  char line[32];
  sprintf(line, "%s=%d", key, value);
  return strlen(line);
}
