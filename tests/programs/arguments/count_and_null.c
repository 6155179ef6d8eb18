/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc == 1);
  assert(argv[0] != 0 && argv[0][0] != 0);
  assert(argv[argc] == 0);
  return 0;
}
