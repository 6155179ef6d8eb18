/* long double always travels on the stack, aligned to 16.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static long double pick(int which, ...) {
  va_list list;
  va_start(list, which);
  long double result = 0;
  for (int i = 0; i <= which; i++) {
    int tag = va_arg(list, int);
    result = va_arg(list, long double) + tag;
  }
  va_end(list);
  return result;
}

int main(void) {
  assert(pick(0, 1, 0.5L) == 1.5L);
  assert(pick(2, 1, 0.5L, 2, 0.25L, 3, 0.125L) == 3.125L);
  assert(pick(6, 1, 1.0L, 2, 1.0L, 3, 1.0L, 4, 1.0L, 5, 1.0L, 6, 1.0L, 7, 1.5L) == 8.5L);
  return 0;
}
