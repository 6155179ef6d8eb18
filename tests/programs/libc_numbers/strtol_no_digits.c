/* Text without digits is no number, and musl says so by errno.

   expect: safe
   paths: 1
   native: none (glibc leaves errno alone)
*/
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

int main(void) {
  char *end;
  errno = 0;
  assert(strtol(" -x", &end, 10) == 0 && *end == ' ' && errno == EINVAL);
  errno = 0;
  assert(atoi("x") == 0 && errno == 0);
  return 0;
}
