/* The callee reads a name that one of its callers has just found to be missing.
   scan: conditional null-dereference 14
   scan: conditional null-dereference 19
   scan: certain null-dereference 10 */
#include <stdio.h>

struct item { const char *name; };

static int is_short(const char *name) {
  return name[0] == 0 || name[1] == 0;
}

int is_fit(const struct item *item) {
  if (item->name == NULL) puts("no name");
  return is_short(item->name);
}

int is_fine(const struct item *item) {
  return item->name != NULL && is_short(item->name);
}
