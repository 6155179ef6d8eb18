/* A part of an argument becomes an input.
   expect: unsafe
   args: --v
   native: asan
   input: last=120 */
#include <assert.h>
#include "unfork.h"

int main(int argc, char **argv) {
  assert(argc == 2);
  unfork_symbolic(&argv[1][2], 1, "last");
  assert(argv[1][2] != 'x'); /* BUG: assert */
  return 0;
}
