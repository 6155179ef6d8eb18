/* The pointer after the last argument is null.
   expect: unsafe
   args: one
   native: asan */
#include <string.h>

int main(int argc, char **argv) {
  unsigned long n = strlen(argv[argc]); /* BUG: null-dereference */
  return n == 3;
}
