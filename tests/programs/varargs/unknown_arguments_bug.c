/* A function that is run alone on any text, with variadic arguments that nobody passes: the path that needs none fails.
   expect: unsafe
   options: --function put
   native: none (a function that is run alone) */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int put(unsigned at, const char *format, ...) {
  char line[4];
  if (!format || at > sizeof line)
    return -1;
  va_list list;
  va_start(list, format);
  int count = vsnprintf(line, sizeof line, format, list);
  va_end(list);
  line[at] = 0; /* BUG: out-of-bounds */
  return count;
}
