/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  char *end;
  const char text[] = " 1.5e3x";
  assert(strtod(text, &end) == 1500.0 && end == text + 6);
  assert(strtod("0x1.8p1", 0) == 3.0 && strtod("-.5", 0) == -0.5 && isinf(strtod("inf", 0)) && isnan(strtod("nan", 0)));
  assert(strtod("0.1", 0) == 0.1 && strtod("179769313486231570000e288", 0) == 1.7976931348623157e308);
  errno = 0;
  assert(strtod("1e400", 0) == HUGE_VAL && errno == ERANGE);
  errno = 0;
  assert(strtod("1e-400", 0) == 0 && errno == ERANGE);
  assert(strtof("16777217", 0) == 16777216.0f && strtold("0.5", 0) == 0.5L && atof("2.25") == 2.25);
  return 0;
}
