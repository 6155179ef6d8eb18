/* Symbolic arguments of options come before the program's words.
   expect: safe
   options: --sym-arg 1 --sym-args 1 1 2
   args: word
   native: none (asks for symbolic arguments) */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  assert(argc == 4);
  assert(strlen(argv[1]) <= 1);
  assert(strlen(argv[2]) <= 2);
  assert(strcmp(argv[3], "word") == 0);
  return 0;
}
