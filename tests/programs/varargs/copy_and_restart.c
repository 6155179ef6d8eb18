/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static int twice_over(int count, ...) {
  va_list list, again;
  va_start(list, count);
  int total = va_arg(list, int);
  va_copy(again, list);
  for (int i = 1; i < count; i++) total += va_arg(list, int);
  for (int i = 1; i < count; i++) total += 100 * va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}

int main(void) {
  assert(twice_over(3, 5, 6, 7) == 5 + 13 + 1300);
  assert(twice_over(9, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 1 + 8 + 800);
  return 0;
}
