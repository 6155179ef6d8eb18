/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  assert(sum(0) == 0);
  assert(sum(3, 1, 2, 3) == 6);
  assert(sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) == 78);
  return 0;
}
