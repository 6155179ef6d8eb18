/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

typedef short v8 __attribute__((vector_size(16)));

int main(void) {
  short plain[8];
  unfork_symbolic(plain, sizeof plain, "plain");
  v8 v;
  memcpy(&v, plain, sizeof v);
  v += (v8){1, 1, 1, 1, 1, 1, 1, 1};
  memcpy(plain, &v, sizeof v);
  for (int i = 0; i < 8; i++) assert(plain[i] == v[i]);
  return 0;
}
