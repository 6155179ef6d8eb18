/* A byte that no _Bool can have is not an unwritten one.
   expect: unsafe
   options: --cflags -fsanitize=bool
   native: asan */
#include <stdbool.h>
#include <string.h>

int main(void) {
  bool flag;
  memset(&flag, 2, 1);
  return flag ? 0 : 1; /* BUG: unreachable */
}
