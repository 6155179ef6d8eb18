/* expect: safe
   paths: 1
   native: asan */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  assert(!getenv("UNFORK_NO_SUCH_VARIABLE"));
  assert(setenv("NAME", "value", 1) == 0 && strcmp(getenv("NAME"), "value") == 0);
  assert(putenv("OTHER=1") == 0 && getenv("OTHER")[0] == '1');
  assert(unsetenv("NAME") == 0 && !getenv("NAME"));
  assert(program_invocation_short_name && strlen(program_invocation_short_name) > 0);
  return 0;
}
