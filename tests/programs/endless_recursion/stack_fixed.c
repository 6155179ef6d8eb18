/* How deep the stack is, addresses of locals tell.
   expect: safe
   native: none (frames are of other sizes natively) */
#include <stdint.h>

static uintptr_t limit;

static int f(void) {
  char here;
  if ((uintptr_t)&here >= limit)
    return 0;
  return 1 + f();
}

int main(void) {
  char here;
  limit = (uintptr_t)&here + (300ul << 14);
  return f() == 0;
}
