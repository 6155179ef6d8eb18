/* char and short arrive as int, float as double.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdarg.h>

static int check(int unused, ...) {
  va_list list;
  va_start(list, unused);
  int c = va_arg(list, int);
  int s = va_arg(list, int);
  double f = va_arg(list, double);
  long l = va_arg(list, long);
  const char *p = va_arg(list, const char *);
  va_end(list);
  return c == -5 && s == 60000 && f == 1.5 && l == 1l << 40 && p[1] == 'y';
}

int main(void) {
  signed char c = -5;
  unsigned short s = 60000;
  float f = 1.5f;
  assert(check(0, c, s, f, 1l << 40, "xyz"));
  return 0;
}
