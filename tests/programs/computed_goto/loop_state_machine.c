/* A scanner for an optional sign and digits.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

static int scan(const char *s) {
  static void *const states[] = {&&start, &&digits, &&fail};
  int state = 0, count = 0;
  goto *states[state];
start:
  if (*s == '-') s++;
  state = *s >= '0' && *s <= '9' ? 1 : 2;
  goto *states[state];
digits:
  while (*s >= '0' && *s <= '9') {
    s++;
    count++;
  }
  state = *s ? 2 : 1;
  if (state == 2) goto *states[state];
  return count;
fail:
  return -1;
}

int main(void) {
  char text[4];
  unfork_symbolic(text, 3, "text");
  text[3] = 0;
  int n = scan(text);
  assert(n != 0 && n <= 3);
  if (n == 3) assert(text[0] != '-');
  return 0;
}
