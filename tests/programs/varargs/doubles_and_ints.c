/* Integers and doubles travel in different registers, then share the stack.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static double mixed(const char *form, ...) {
  va_list list;
  va_start(list, form);
  double total = 0;
  for (; *form; form++) total = total * 2 + (*form == 'd' ? va_arg(list, double) : va_arg(list, int));
  va_end(list);
  return total;
}

int main(void) {
  assert(mixed("idid", 1, 0.5, 2, 0.25) == 14.25);
  assert(mixed("dddddddddd", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 4.0) == 522.0);
  assert(mixed("iiiiiiidi", 1, 0, 0, 0, 0, 0, 7, 0.5, 3) == 256 + 7 * 4 + 1 + 3);
  return 0;
}
