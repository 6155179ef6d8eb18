/* Variadic arguments of a function that is run alone are unknown: a path that reads one is given up.
   expect: unknown unsupported
   options: --function sum
   native: none (a function that is run alone) */
#include <stdarg.h>

int sum(int count, ...) {
  if (count < 0 || count > 2)
    return 0;
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}
