/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

struct pair { int a, b; };
struct mixed { long n; double d; };

static long collect(int count, ...) {
  va_list list;
  va_start(list, count);
  long total = 0;
  for (int i = 0; i < count; i++) {
    struct pair p = va_arg(list, struct pair);
    struct mixed m = va_arg(list, struct mixed);
    total += p.a * 1000 + p.b * 100 + m.n * 10 + (long)m.d;
  }
  va_end(list);
  return total;
}

int main(void) {
  struct pair p = {1, 2};
  struct mixed m = {3, 4.5};
  assert(collect(1, p, m) == 1234);
  assert(collect(5, p, m, p, m, p, m, p, m, p, m) == 5 * 1234);
  return 0;
}
