/* The command is read.
   expect: unsafe
   native: none (it would run a command) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *command = strdup("ls");
  free(command);
  return popen(command, "r") != 0; /* BUG: use-after-free */
}
