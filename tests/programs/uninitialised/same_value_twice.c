/* An uninitialised variable holds one unknown value, not a new one for each read.
   expect: safe
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>

int main(void) {
  unsigned char buffer[8];
  volatile unsigned char *p = buffer;
  unsigned char first = p[3], second = p[3];
  assert(first == second);
  p[3] = 5;
  assert(p[3] == 5);
  return 0;
}
