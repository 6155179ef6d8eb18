/* strncpy fills the rest of a buffer with NULs.
   scan: nothing */
#include <string.h>

size_t length_of_name(const char *given) {
  char name[8];
  strncpy(name, given, sizeof name);
  name[sizeof name - 1] = 0;
  if (strlen(given) < 7 && name[6])
    *(volatile int *)0 = 0;
  return strlen(name);
}
