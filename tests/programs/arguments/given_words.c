/* expect: safe
   paths: 1
   args: alpha -n ""
   native: asan */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 4);
  assert(strcmp(argv[1], "alpha") == 0 && strcmp(argv[2], "-n") == 0);
  assert(argv[3][0] == 0 && argv[4] == 0);
  return 0;
}
