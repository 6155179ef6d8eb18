/* The range of the length does not show its bound, but comparing it with a number folds.
   expect: safe
   options: --cflags "-O2"
   native: asan */
#include <string.h>
#include "unfork.h"
int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unsigned char text[12] = {1, 2, 3};
  unsigned n = (unsigned)(1ul * x) % 13;
  if (x & 1) {
    memmove(text + 1, text, n ? n - 1 : 0);
    text[(unsigned)x % 12] = 3;
  }
  unsigned h = 0;
  for (unsigned i = 0; i < 12; i++) h = h * 5 + text[i];
  return h == 0;
}
