/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned char raw[8] = {0};
  unsigned a, b;
  unsigned short s;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  memcpy(raw, &a, 4);
  memcpy(raw + 2, &b, 4);
  memcpy(&s, raw, 2);
  assert(s == (a & 0xffff));
  memcpy(&a, raw + 2, 4);
  assert(a == b);
  assert(raw[6] == 0 && raw[5] == b >> 24);
  return 0;
}
