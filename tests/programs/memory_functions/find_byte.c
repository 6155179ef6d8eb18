/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  unsigned char bytes[4], wanted;
  unfork_symbolic(bytes, sizeof bytes, "bytes");
  unfork_symbolic(&wanted, sizeof wanted, "wanted");
  unsigned char *at = memchr(bytes, wanted, 4);
  if (at) {
    assert(*at == wanted);
    for (unsigned char *p = bytes; p < at; p++) assert(*p != wanted);
  } else {
    assert(bytes[0] != wanted);
    assert(bytes[3] != wanted);
  }
  return 0;
}
