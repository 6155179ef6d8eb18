/* Each number of arguments is a path, and so is each length of each that the program looks at.
   expect: safe
   paths: 7
   args: --sym-args 0 2 1
   native: none (asks for symbolic arguments) */
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 1 && argc <= 3);
  assert(argv[argc] == 0);
  unsigned long total = 0;
  for (int i = 1; i < argc; i++) {
    for (char *p = argv[i]; *p; p++) total++;
  }
  assert(total <= 2);
  return (int)total;
}
