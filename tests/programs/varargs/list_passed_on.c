/* A va_list handed to another function goes on where that one stopped.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static int take(int count, va_list list) {
  int total = 0;
  while (count-- > 0) total = total * 10 + va_arg(list, int);
  return total;
}

static int outer(int count, ...) {
  va_list list;
  va_start(list, count);
  int front = take(2, list);
  int back = take(count - 2, list);
  va_end(list);
  return front * 10000 + back;
}

int main(void) {
  assert(outer(4, 1, 2, 3, 4) == 120034);
  assert(outer(8, 1, 2, 3, 4, 5, 6, 7, 8) == 465678);
  assert(outer(6, 1, 2, 3, 4, 5, 6) == 123456);
  return 0;
}
