/* A function with variadic arguments: what it does before it reads any does not depend on them.
   scan: certain out-of-bounds 12 */
#include <stdarg.h>

static int levels[4];

int set_level(int kind, ...) {
  va_list more;
  if (kind < 0 || kind > 4)
    return -1;
  va_start(more, kind);
  levels[kind] = 1;
  if (kind == 3)
    levels[kind] = va_arg(more, int);
  va_end(more);
  return levels[kind];
}
