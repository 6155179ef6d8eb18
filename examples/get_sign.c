/* The first program of the KLEE tutorial, in KLEE's own words: programs written for KLEE run unchanged.

     unfork run examples/get_sign.c       three paths, three tests, exit status 0

   expect: safe
   paths: 3
   native: asan
*/
#include <klee/klee.h>

static int get_sign(int number) {
  if (number == 0)
    return 0;
  if (number < 0)
    return -1;
  return 1;
}

int main(void) {
  int number;

  klee_make_symbolic(&number, sizeof number, "number");
  return get_sign(number) == 2;
}
