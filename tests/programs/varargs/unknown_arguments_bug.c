/* A function that is run alone with variadic arguments that nobody passes: the path that needs none fails.
   expect: unsafe
   options: --function put
   native: none (a function that is run alone) */
#include <stdarg.h>

int put(unsigned at, int count, ...) {
  char line[4] = {0};
  if (at > sizeof line)
    return -1;
  va_list list;
  va_start(list, count);
  if (count > 0)
    line[0] = (char)va_arg(list, int);
  va_end(list);
  line[at] = 1; /* BUG: out-of-bounds */
  return line[0];
}
