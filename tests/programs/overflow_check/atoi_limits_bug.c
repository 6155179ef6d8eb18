/* The least and the greatest number fit; one more does not.
   expect: unsafe
   options: --check overflow
   native: none (no sanitizer sees it) */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  assert(atoi(" -2147483648x") == INT_MIN && atoi("+2147483647") == INT_MAX && atoi("x99999999999") == 0);
  assert(atol("-9223372036854775808") == LONG_MIN && atoll("9223372036854775807") == LLONG_MAX);
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  volatile int which = 0;
  if (which == 0) atof("1e999");
  return atoll("-9223372036854775809") != 0; /* BUG: overflow */
}
