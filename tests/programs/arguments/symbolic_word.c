/* expect: unsafe
   options: --sym-arg 2
   native: none (the argument is symbolic) */
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc == 2);
  assert(!(argv[1][0] == '-' && argv[1][1] == 'v')); /* BUG: assert */
  return 0;
}
