/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

struct block { long values[5]; };

static long last_of(int count, ...) {
  va_list list;
  va_start(list, count);
  long result = 0;
  for (int i = 0; i < count; i++) result = result * 10 + va_arg(list, struct block).values[4] + va_arg(list, int);
  va_end(list);
  return result;
}

int main(void) {
  struct block x = {{0, 0, 0, 0, 3}}, y = {{9, 9, 9, 9, 5}};
  assert(last_of(2, x, 1, y, 2) == 47);
  return 0;
}
