/* strncpy leaves no NUL after a text that fills the buffer.
   scan: certain out-of-bounds 8 */
#include <string.h>

size_t length_of_name(const char *given) {
  char name[8];
  strncpy(name, given, sizeof name);
  return strlen(name);
}
