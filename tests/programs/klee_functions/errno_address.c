/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <errno.h>
#include <klee/klee.h>

int main(void) {
  errno = 5;
  assert(klee_get_errno() == 5);
  return 0;
}
