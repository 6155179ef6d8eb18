/* Variadic arguments are values like others.

   expect: unsafe
   input: way=01 noise=00
*/
#include <assert.h>
#include <stdarg.h>

#include "unfork.h"

static int second(char noise, int count, ...) {
  va_list list;
  va_start(list, count);
  if (noise)
    count = 2;
  int found = va_arg(list, int);
  if (count == 2)
    found = va_arg(list, int);
  va_end(list);
  return found;
}

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int given = 1;
  if (way)
    given = 5;
  if (noise & 2)
    noise ^= 2;
  assert(second(noise, 1, given, given) == 1); /* BUG: assert */
  return 0;
}
