/* expect: unsafe
   native: none (the report ends the process without a place) */
#include <klee/klee.h>

int main(void) {
  int x = klee_int("x");
  if (x == 4) klee_report_error(__FILE__, __LINE__, "four is not allowed", "user.err"); /* BUG: user */
  return 0;
}
