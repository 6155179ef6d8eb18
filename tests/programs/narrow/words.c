/* The program's arguments and environment, and its input.
   expect: safe
   options: --data-model ILP32 --sym-stdin 3
   args: alpha --sym-arg 1
   native: none (for 32 bits) */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

int main(int argc, char **argv) {
  assert(argc == 3 && !argv[3] && !strcmp(argv[1], "alpha") && strlen(argv[2]) <= 1);
  char line[8], *home = getenv("NO_SUCH_VARIABLE");
  assert(!home);
  if (!fgets(line, sizeof line, stdin)) return 0;
  assert(strlen(line) <= 3);
  fprintf(stderr, "%s\n", argv[1]);
  return 0;
}
