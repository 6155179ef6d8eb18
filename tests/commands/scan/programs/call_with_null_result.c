/* The search may find nothing; its result is used at once.
   scan: certain null-dereference 6 */
#include <string.h>

static int is_double(const char *p) {
  return p[0] == ':' && p[1] == ':';
}

int has_double_colon(const char *s) {
  return is_double(strchr(s, ':'));
}
