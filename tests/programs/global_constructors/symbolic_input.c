/* Inputs may be asked for before main.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

static int limit;

__attribute__((constructor)) static void configure(void) {
  unfork_symbolic(&limit, sizeof limit, "limit");
  if (limit < 0) limit = 0;
}

int main(void) {
  assert(limit >= 0);
  return 0;
}
