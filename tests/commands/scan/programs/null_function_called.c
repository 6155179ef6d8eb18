/* The missing function is noticed, and called.
   scan: conditional null-dereference 9
   scan: certain null-dereference 10 */
#include <stdio.h>

struct driver { int (*open)(int unit); };

int start(const struct driver *driver, int unit) {
  if (driver->open == NULL) puts("no driver");
  return driver->open(unit);
}
