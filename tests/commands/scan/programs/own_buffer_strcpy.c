/* A name of any length is copied into sixteen bytes.
   scan: certain out-of-bounds 7 */
#include <string.h>

int is_reserved(const char *name) {
  char copy[16];
  strcpy(copy, name);
  return copy[0] == '_';
}
