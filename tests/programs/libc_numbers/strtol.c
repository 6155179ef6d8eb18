/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  char *end;
  const char text[] = "  -42abc";
  assert(strtol(text, &end, 10) == -42 && end == text + 5);
  assert(strtol("0x7f", 0, 0) == 127 && strtol("077", 0, 0) == 63 && strtol("zz", 0, 36) == 1295);
  errno = 0;
  assert(strtol("99999999999999999999999999999999999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtol("-9223372036854775809", 0, 10) == LONG_MIN && errno == ERANGE);
  errno = 0;
  assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
  assert(strtoul("340282366920938463463374607431768211457", 0, 10) == ULONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtol("5", 0, 1) == 0 && errno == EINVAL);
  errno = 0;
  assert(atoi("x") == 0 && strtol("0x", &end, 16) == 0 && *end == 'x' && strtoul("0", 0, 0) == 0 && errno == 0);
  assert(strtol(" -x", &end, 10) == 0 && *end == ' ');
  assert(atoi("12x") == 12 && atol("-3") == -3 && strtoimax("9", 0, 10) == 9);
  return 0;
}
