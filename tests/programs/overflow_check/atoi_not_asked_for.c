/* Without the check, the lower bits of the number count, as on most systems. What strtol does is defined.
   expect: safe
   native: none (it is undefined) */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

int main(void) {
  assert(atoi("2147483648") == INT_MIN && atoi("4294967297") == 1);
  assert(atol("9223372036854775808") == LONG_MAX);
  errno = 0;
  assert(strtol("-9223372036854775809", 0, 10) == LONG_MIN && errno == ERANGE);
  return 0;
}
