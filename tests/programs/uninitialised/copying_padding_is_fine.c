/* Copying uninitialised bytes is no fault, only deciding on them is.
   expect: safe
   options: --check uninitialised
   native: asan */
#include <assert.h>
#include <string.h>

struct padded {
  char c;
  long n;
  short unset;
};

int main(void) {
  struct padded a, b;
  a.c = 'x';
  a.n = 5;
  memcpy(&b, &a, sizeof b);
  assert(b.c == 'x' && b.n == 5);
  return 0;
}
