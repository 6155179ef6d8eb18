/* Which variadic arguments callers pass is not known: an index among them shows nothing.
   scan: nothing certain */
#include <stdarg.h>

static int levels[4];

int set_level(int count, ...) {
  va_list more;
  if (count < 0 || count > 2)
    return -1;
  va_start(more, count);
  for (int i = 0; i < count; i++)
    levels[va_arg(more, int)] = i;
  va_end(more);
  return levels[0];
}
