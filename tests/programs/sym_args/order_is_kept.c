/* Words keep their places between symbolic arguments, in either spelling.
   expect: safe
   args: -n --sym-arg 1 x -sym-args 0 1 2 last
   native: none (asks for symbolic arguments) */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 5 || argc == 6);
  assert(strcmp(argv[1], "-n") == 0);
  assert(strlen(argv[2]) <= 1);
  assert(strcmp(argv[3], "x") == 0);
  if (argc == 6) assert(strlen(argv[4]) <= 2);
  assert(strcmp(argv[argc - 1], "last") == 0);
  return 0;
}
