/* expect: safe
   paths: 1
   args: abc
   native: asan */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  for (char *c = argv[1]; *c; c++) *c = (char)(*c - 32);
  assert(argc == 2 && strcmp(argv[1], "ABC") == 0);
  argv[1] = "other";
  assert(strlen(argv[1]) == 5);
  return 0;
}
